"""Questions of the form "what is X", and the texts that say what X is."""

from __future__ import annotations

import re
from functools import lru_cache

_ASKED = re.compile(
    r"(?:what(?:'s| is| are) (?:meant by )?|define |(?:the )?meaning of )(?P<plain>.+?)"
    r"|what (?:does|do) (?P<meant>.+?) (?:mean|stand for)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:an?|the|your|its) ", re.IGNORECASE)
# "the default of X", "the difference between A and B": something of X is asked, not what X is.
_MORE_THAN_A_TERM = re.compile(r"\b(?:of|for|between|in|to|with|when|if|on|do|does|from|my|not|by)\b", re.IGNORECASE)
_LONGEST = 4
"""Words of a term."""


@lru_cache(maxsize=256)
def defined_term(question: str) -> str:
    """X of "what is X" and "what does X mean", without its article; empty for other questions."""
    found = _ASKED.fullmatch(" ".join(question.split()).rstrip(" ?.!"))
    if not found:
        return ""
    term = _ARTICLE.sub("", found["plain"] or found["meant"], count=1)
    return "" if len(term.split()) > _LONGEST or _MORE_THAN_A_TERM.search(term) else term


def defines(term: str, text: str) -> bool:
    """Whether a text defines a term: in a sentence of which it is the subject, or as an entry of a glossary."""
    return _definition(term).search(text) is not None


@lru_cache(maxsize=64)
def _definition(term: str) -> re.Pattern[str]:
    words = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", term.strip("`*_\"' ")) if word)
    article = r"(?:(?:the|an?)\s+)?"
    name = rf"{article}[`*_\"']*{article}{words}(?:s|es)?[`*_\"']*(?:\s+\([^)\n]*\))?"
    start = r"(?:^[\s>*#+-]*|[.!?:]\s+|\*\*)"
    what = r"(?:an?|the|one|any|all|each|every|what|where|how|when|our|short for|used)\b"
    sentence = (
        rf"(?:(?<=[`*_])\s+(?:is|are)\s+\w|\s+(?:is|are)\s+{what}|\s+(?:means?|refers? to|stands? for|denotes?)\s)"
    )
    entry = r"(?:\s*\n?[ \t]*::?[ \t]+\S|\s+[-–—][ \t]+\S|[ \t]*\n[ \t]{2,}\S)"
    return re.compile(rf"{start}{name}{sentence}|^[ \t*+-]*{name}{entry}", re.IGNORECASE | re.MULTILINE)
