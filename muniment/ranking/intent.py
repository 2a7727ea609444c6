"""What kind of answer a question asks for: a table of question forms, and what each form favours.

A row favours and never filters: it adds to the score of what it names. Rows are about forms of English questions,
not about the words of any repository; a new form is a new row with its examples.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

SECTIONS: Mapping[str, str] = {
    "safeguards": r"safeguards?|safety|locking|concurrency|caveats|warnings|guarantees|limitations|security",
    "configuration": r"configuration|configuring|settings|environment|variables|config|parameters|defaults",
    "modes": r"modes|options|usage|arguments|flags|synopsis|commands?|switches",
    "design": r"design|principles|rationale|philosophy|motivation|why\b.*|background|decisions?",
    "operation": r"operational model|how (?:it|this|\w+) works?|operations?|description|overview|internals",
}
"""Group -> the words by which documents head such sections."""


@dataclass(frozen=True, slots=True)
class Form:
    """One row: questions of this form favour these sections and kinds."""

    name: str
    patterns: tuple[str, ...]
    """Each is looked for anywhere in the question, in lower case."""
    strength: float
    """Added to the score of what it favours; that score is about 1 at most before."""
    examples: tuple[str, ...]
    sections: tuple[str, ...] = ()
    """Keys of SECTIONS."""
    kinds: tuple[str, ...] = ()
    titles: str = ""
    """A pattern; chunks whose own title holds it are favoured."""


FORMS: tuple[Form, ...] = (
    Form(
        "safeguard",
        (
            r"\b(?:what|how|who) (?:stops?|prevents?|keeps?|protects?|guards?|ensures?|guarantees?)\b",
            r"\b(?:at the same time|twice|several times|simultaneous\w*|concurrent\w*|in parallel)\b",
            r"\b(?:overlap|collid)\w*",
            r"^what happens (?:when|if)\b",
            r"^(?:who|what) (?:clears|cleans|sweeps|tidies|recovers)\b",
        ),
        0.3,
        ("what stops two movers from running at the same time", "who cleans up after a crash"),
        sections=("safeguards",),
    ),
    Form(
        "overlap",
        (
            r"\b(?:at the same time|twice|simultaneous\w*|concurrent\w*|in parallel|side by side)\b",
            r"\b(?:overlap|collid)\w*|\bstill (?:busy|running|at work)\b|\btwo (?:\w+ ){1,2}(?:run|start)",
        ),
        0.6,
        ("what stops two movers from running at the same time", "the last run is still busy, what does the next do"),
        titles=r"\boverlap|\block(?:s|ed|ing|files?)?\b|\bconcurren|\bmutex\b|\bexclusi|\bsingle[- ]instance",
    ),
    Form(
        "hazard",
        (
            r"^(?:can|could|will|would|does|do|is|are|might) (?!i\b|you\b|we\b|there\b)"
            r".*\b(?:while|when|whilst|during|if|after|under|before)\b",
            r"^(?:if|suppose|when)\b.*,",
            r"\bsafe(?:ly)? to\b",
            r"\bhow do (?:we|i) know\b",
            r"\bcan (?:i|we) (?:trust|rely)\b",
        ),
        0.3,
        ("will a recording be moved while it is still being written", "if the disk is not mounted, would it write"),
        sections=("safeguards",),
    ),
    Form(
        "setting",
        (
            r"\b(?:which|what) (?:\w+ )?(?:variables?|settings?|keys?|parameters?|environment|env)\b",
            r"\b(?:change|set|configure|adjust|raise|lower|limit) the\b",
        ),
        0.15,
        ("which variable controls the timeout", "where do I change the number of copies kept"),
        sections=("configuration",),
        kinds=("template",),
    ),
    Form(
        "option",
        (r"(?:^|\s)--?[a-z]", r"\b(?:flags?|switch(?:es)?|options?|command.line|arguments?)\b"),
        0.2,
        ("does the mover take --dry-run", "is there a switch for the second site"),
        sections=("modes",),
    ),
    Form(
        "act",
        (r"^(?:can|could|may) (?:i|you|we)\b", r"^how (?:do|can) (?:i|you|we)\b"),
        0.1,
        ("can I update just one service", "how do I name a snapshot"),
        sections=("modes",),
    ),
    Form(
        "reason",
        (r"\bwhy\b", r"\bwhat(?: is|'s) the reason\b", r"\bhow come\b"),
        0.15,
        ("why is it a timer and not a daemon",),
        sections=("design",),
    ),
    Form(
        "working",
        (
            r"^how (?:does|do|is|are|did|can) (?!i\b|you\b|we\b)",
            r"\bhow .* works?\b",
            r"\bin (?:which|what) order\b",
        ),
        0.3,
        ("how does the mover decide when to stop", "in which order are services stopped"),
        sections=("operation",),
    ),
    Form(
        "definition",
        (r"^what(?:'s| is| are)\b", r"^what does .* mean", r"^define\b", r"\bmeaning of\b"),
        0.1,
        ("what is a snapshot", "what does thinning mean"),
        kinds=("readme", "doc", "manual"),
    ),
)


@lru_cache(maxsize=256)
def forms_of(question: str) -> tuple[Form, ...]:
    """The rows that a question matches, in the table's order."""
    lowered = " ".join(question.lower().split())
    return tuple(form for form in FORMS if any(re.search(pattern, lowered) for pattern in form.patterns))


def favours(form: Form, section: str, title: str, kind: str) -> bool:
    """Whether a form favours a chunk: by its kind, or by what heads its section or itself."""
    # What a template says before its first setting is about the file, not about a setting.
    if kind in form.kinds and (title or kind != "template"):
        return True
    if form.titles and re.search(form.titles, title.lower()):
        return True
    return any(_heads(group, name) for group in form.sections for name in (section, title))


@lru_cache(maxsize=16_384)
def _heads(group: str, name: str) -> bool:
    """Whether a heading names a group, up to two words before it and one after: `OPERATIONAL SAFEGUARDS`."""
    return re.fullmatch(rf"\W*(?:\w+ ){{0,2}}(?:{SECTIONS[group]})(?: \w+)?\W*", name.lower()) is not None
