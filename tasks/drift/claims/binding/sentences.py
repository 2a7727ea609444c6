"""What the sentence around a claim says before it, and whether it speaks of now and of every case."""

from __future__ import annotations

import re

import re2

from tasks.drift.claims.reading.page import Line, Page

MAX_BEFORE = 600
"""In characters of a sentence before the claim."""
MAX_LINES = 4
"""Lines of a sentence before the claim's own."""

_SENTENCE = re.compile(r"[.!?][\"')\]*`]{0,2}\s+(?=[A-Z`*\"'_(]|$)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|:)\s")
_CONDITION = re2.compile(
    r"(?i)\s*(?:[-*+:]\s)?(?:\*\*|_)?(?:if|when|unless|while|in case|on|for|under|with|starting|since|from|as of"
    r"|up to)\b|.*\binstead\b"
)
_ABSENT = re2.compile(
    r"\b(?:not (?:set|specified|given|provided|present|defined|configured)|unset|omitted|missing|empty|absent"
    r"|undefined|unspecified|nothing|none|left out|blank|neither)\b"
)
_OLD = re2.compile(
    r"(?i)\b(?:previously|formerly|used to|no longer|not|never|old|older|was|were|would|instead of|changed|changes?"
    r"|before|until|prior)\s+(?:\w+\s+){0,2}$"
)
_VERSIONED = re.compile(r"\s*(?:\.\. (?:versionchanged|versionadded|deprecated)::|:(?:versionchanged|deprecated):)")
_DECORATION = " \t-*+•:>`_|"


def begins(line: Line, start: int) -> bool:
    """Whether nothing but markup stands before a place."""
    return not line.text[:start].strip(_DECORATION)


def is_first_of_item(page: Page, number: int) -> bool:
    """Whether a line begins an item or definition, so that its sentence can't have begun above."""
    return bool(_ITEM.match(page.lines[number - 1]))


def sentence_before(page: Page, line: Line, start: int) -> str:
    """The text of the sentence that leads up to a place, from earlier lines of its paragraph too.

    Blank where the place begins a sentence or an item.
    """
    text, number = line.text[:start], line.number
    while len(text) <= MAX_BEFORE and line.number - number < MAX_LINES and not _SENTENCE.search(text):
        over = page.line(number - 1)
        if over is None or is_first_of_item(page, number) or not _goes_on(page, over, line):
            break
        text = f"{over.text.rstrip()} {text.lstrip()}"
        number -= 1
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    if ends:
        return text[ends[-1] :]
    return "" if begins(line, start) and text.rstrip().endswith((":", ";", ".")) else text


def _goes_on(page: Page, over: Line, line: Line) -> bool:
    """Whether a line belongs to the paragraph of one below."""
    if over.region != line.region or not over.text.strip() or over.indent != line.indent:
        return False
    return page.syntax != "roff" or not over.text.startswith(".")


def is_conditional(sentence: str) -> bool:
    """Whether a sentence speaks of a special case, and not of the option being left alone."""
    return bool(_CONDITION.match(sentence)) and not _ABSENT.search(sentence)


def is_old(page: Page, line: Line, start: int) -> bool:
    """Whether the text speaks of what was the default once."""
    if _OLD.search(line.text[max(0, start - 60) : start]):
        return True
    if page.syntax != "rst":
        return False
    for number in range(line.number, max(0, line.number - 6), -1):
        text = page.lines[number - 1]
        if _VERSIONED.match(text):
            return number == line.number or line.indent > len(text) - len(text.lstrip())
        if not text.strip():
            return False
    return False
