"""What kind of answer a question asks for: a table of question forms, and what each form favours.

A row favours, and never filters: it adds to the score of what it names. Rows are about forms of English questions,
not about the words of any repository; a new form is a new row with its examples.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

SECTIONS: Mapping[str, str] = {
    "safeguards": r"safeguards?|safety|locking|concurrency|caveats|warnings|guarantees|limitations|security",
    "configuration": r"configuration|configuring|settings|environment|variables|config|parameters|defaults",
    "modes": r"runtime modes?|modes|options|usage|arguments|flags|synopsis|commands?|switches",
    "design": r"design|principles|rationale|philosophy|motivation|why\b.*|background|decisions?",
    "operation": r"operational model|how (?:it|this|\w+) works?|operations?|description|overview|architecture|internals",
}
"""Group -> the words by which documents head such sections."""


@dataclass(frozen=True, slots=True)
class Form:
    """One row: questions of this form favour these sections and kinds."""

    name: str
    pattern: str
    """Matched anywhere in the question, in lower case."""
    strength: float
    """Added to the score of what it favours, which is about 1 at most before."""
    examples: tuple[str, ...]
    sections: tuple[str, ...] = ()
    """Keys of SECTIONS."""
    kinds: tuple[str, ...] = ()
    unlike: tuple[str, ...] = field(default=())
    """Questions that look like it and are not."""


FORMS: tuple[Form, ...] = (
    Form(
        "safeguard",
        r"\b(?:what|how|who) (?:stops?|prevents?|keeps?|protects?|guards?|ensures?|guarantees?)\b"
        r"|\b(?:at the same time|twice|several times|simultaneous\w*|concurrent\w*|in parallel|overlap\w*|collid\w*|race)\b"
        r"|^what happens (?:when|if)\b",
        0.3,
        ("what stops two movers from running at the same time", "what prevents a half-made copy from being used"),
        sections=("safeguards",),
    ),
    Form(
        "hazard",
        r"^(?:can|could|will|would|does|do|is|are|might) (?!i\b|you\b|we\b|there\b).*\b(?:while|when|whilst|during|if|after|under|before)\b"
        r"|^(?:if|suppose|when)\b.*,|\bsafe(?:ly)? to\b|\bhow do (?:we|i) know\b|\bcan (?:i|we) (?:trust|rely)\b",
        0.3,
        ("will a recording be moved while it is still being written", "if the disk is not mounted, would it write"),
        sections=("safeguards",),
    ),
    Form(
        "setting",
        r"\b(?:which|what) (?:\w+ )?(?:variables?|settings?|keys?|parameters?|environment|env)\b|\b(?:change|set|configure|adjust|raise|lower|limit) the\b",
        0.15,
        ("which variable controls the timeout", "where do I change the number of copies kept"),
        sections=("configuration",),
        kinds=("template",),
    ),
    Form(
        "option",
        r"(?:^|\s)--?[a-z]|\b(?:flags?|switch(?:es)?|options?|command.line|arguments?)\b",
        0.2,
        ("does the mover take --dry-run", "is there a switch for the second site"),
        sections=("modes",),
    ),
    Form(
        "act",
        r"^(?:can|could|may) (?:i|you|we)\b|^how (?:do|can) (?:i|you|we)\b",
        0.1,
        ("can I update just one service", "how do I name a snapshot"),
        sections=("modes",),
    ),
    Form(
        "reason",
        r"\bwhy\b|\bwhat(?: is|'s) the reason\b|\bhow come\b",
        0.15,
        ("why is it a timer and not a daemon",),
        sections=("design",),
    ),
    Form(
        "working",
        r"^how (?:does|do|is|are|did|can) (?!i\b|you\b|we\b)|\bhow .* works?\b|\bin (?:which|what) order\b",
        0.3,
        ("how does the mover decide when to stop", "in which order are services stopped"),
        sections=("operation",),
    ),
    Form(
        "definition",
        r"^(?:what(?:'s| is| are)|what does .* mean|define|meaning of)\b",
        0.1,
        ("what is a snapshot", "what does thinning mean"),
        kinds=("readme", "doc", "manual"),
    ),
)


@lru_cache(maxsize=256)
def forms_of(question: str) -> tuple[Form, ...]:
    """The rows that a question matches, in the table's order."""
    lowered = " ".join(question.lower().split())
    return tuple(form for form in FORMS if _compiled(form.pattern).search(lowered))


def favours(form: Form, section: str, title: str, kind: str) -> bool:
    """Whether a form favours a chunk."""
    if kind in form.kinds:
        return True
    return any(_section(group).search(name.lower()) for group in form.sections for name in (section, title))


# what X is asked to be: short, and not "the difference between" or "the default of"
_ASKED = re.compile(
    r"^(?:what(?:'s| is| are)|define|meaning of|what does)\s+(?:meant by\s+)?(?:(?:a|an|the|your|its)\s+)?(.+?)(?:\s+means?|\s+stand for)?[\s?.!]*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def defined_term(question: str) -> str:
    """X of "what is X" and "what does X mean"; empty for other questions."""
    found = _ASKED.match(question.strip())
    term = found[1] if found else ""
    asked_what_it_does = re.match(r"what does\b", question.strip(), re.IGNORECASE) and not re.search(
        r"\b(?:mean|stand for)\b", question
    )
    plain = 0 < len(term.split()) <= 4 and not re.search(
        r"\b(?:of|for|between|in|to|with|when|if|on|do|does|from|my|not)\b", term
    )
    return term if plain and not asked_what_it_does else ""


def defines(term: str, text: str) -> bool:
    """Whether a text defines a term: a sentence of which it is the subject, or an entry of a glossary."""
    return _definition(term).search(text) is not None


@lru_cache(maxsize=64)
def _definition(term: str) -> re.Pattern[str]:
    words = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", term.strip("`*\"'")))
    name = rf"(?:(?:the|a|an)\s+)?[`*_\"']*(?:(?:the|a|an)\s+)?{words}(?:s|es)?[`*_\"']*(?:\s+\([^)\n]*\))?"
    start = r"(?:^[\s>*#+-]*|[.!?:]\s+|\*\*)"
    verb = (
        r"(?:(?<=[`*_])\s+(?:is|are)\s+\w|\s+(?:is|are)\s+(?:an?|the|one|any|all|each|every|what|where|how|when|our|short for|used)\b"
        r"|\s+(?:means?|refers? to|stands? for|denotes?)\s)"
    )
    entry = r"(?:\s*\n?[ \t]*::?[ \t]+\S|\s+[-–—][ \t]+\S|[ \t]*\n[ \t]{2,}\S)"
    return re.compile(rf"{start}{name}{verb}|^[ \t*+-]*{name}{entry}", re.IGNORECASE | re.MULTILINE)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=len(SECTIONS))
def _section(group: str) -> re.Pattern[str]:
    return re.compile(rf"^\W*(?:\w+ ){{0,2}}(?:{SECTIONS[group]})(?: \w+)?\W*$")
