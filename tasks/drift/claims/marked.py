"""A value that is marked as the default: `N (default)`, and `enabled by default` or `disabled by default`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import Bound, bind, claims_at
from tasks.drift.claims.binding.terms import lead
from tasks.drift.claims.reading.page import Line, Page, page_of
from tasks.drift.claims.reading.spelled import Spelled
from tasks.drift.tree import TextFile

_MARK = re2.compile(r"[(\[](?:the |is )?[Dd]efault(?: value)?[)\]]")
# A bare number only where it begins an item or is given to something, which "from 2 (default) to 3" does not do.
_BEFORE = re.compile(
    r"(\*\*|__)?(?:(`{1,2})([^`\n]{1,100})\2|(\"[^\"\n]{0,80}\"|'[^'\n]{0,80}')"
    r"|(?:^[\s*•#-]{0,40}|[=:]\s?|\bis\s)(-?\d[\d.]{0,12}\w{0,3}))(?:\*\*|__)?[\s*_]{0,4}$"
)
MAX_BEFORE = 120
"""In characters before the mark, in which the value has to stand."""
_SWITCHED = re2.compile(r"\b([Ee]nabled|[Dd]isabled) by default\b")
_ABLE = re2.compile(r"\bbe\s*$")
"""What leads up to something that may be so, and is not."""
_SUBJECT = re2.compile(
    r"(?s)[^\w.]*(?:\([^()]*\))?[^\w.]*(?:(?:which |that )?(?:is|are)(?: also)?)?[^\w.]*|.*(?:[.(]|\s[-–—]) ?[*_]{0,2}"
)
_GIVES = re.compile(r"[:=]|\b(?:is|are|to)\b|[–—]| - ")
_ITEM = re.compile(r"\s*(?:[-*+•]\s+)?(\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|-?\d[\w.]{0,12})\s*(?:[:=]|-{1,2}>?|–|—)\s")


def marked_value_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each value that is followed by `(default)`, where the option is on the line or is its parent."""
    page = page_of(file)
    for line in page.defaulting:
        if line.region == "code" or line.text.lstrip().startswith("|"):
            continue
        for mark in _MARK.finditer(line.text):
            value = _value_before(line, mark.start())
            if value and (bound := _bound(page, line, value)):
                yield from claims_at(page, line, "marked-value", value, bound)


def switched_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each option that is said to be enabled or disabled by default, named on the same line."""
    page = page_of(file)
    for line in page.defaulting:
        if line.region == "code":
            continue
        for found in _SWITCHED.finditer(line.text):
            value = Spelled(found[1], found.start(1), len(found[1]), found.end(1), False)
            bound = bind(page, line, found.start()) if not _ABLE.search(line.text[: found.start()]) else None
            if bound and (bound.binding in ("parent", "term") or _is_subject(line, bound, found.start())):
                yield from claims_at(page, line, "switched", value, bound)


def _is_subject(line: Line, bound: Bound, start: int) -> bool:
    """Whether nothing but `is` stands between the option and what is said of it, or that is a sentence of its own."""
    at = line.text.rfind(bound.options[-1], 0, start)
    if at < 0:
        return False
    return bool(_SUBJECT.fullmatch(line.text[at + len(bound.options[-1]) : start]))


def _value_before(line: Line, mark: int) -> Spelled | None:
    """The value right before the mark, or the one that an explained item of a list begins with."""
    first = max(0, mark - MAX_BEFORE)
    if found := _BEFORE.search(line.text[first:mark]):
        group = next(number for number in (3, 4, 5) if found[number] is not None)
        text, start = found[group], first + found.start(group)
        return Spelled(text, start, len(text), mark, found[2] is not None)
    ends = not line.text[mark:].partition(")")[2].strip(" .")
    item = _ITEM.match(line.text) if line.region == "comment" and ends else None
    return Spelled(item[1], item.start(1), len(item[1]), item.end(1), False) if item else None


def _bound(page: Page, line: Line, value: Spelled) -> Bound | None:
    start = line.text.rfind("`", 0, value.start) if value.marked else value.start
    bound = bind(page, line, max(start, 0), aside=True)
    if bound and (value.text in bound.options or not _is_given(line, bound, value)):
        return None
    near = bound is not None and bound.binding in ("same line", "setting")
    listed = bound is not None and bound.binding in ("parent", "term", "heading") and _begins_with(line, value)
    return bound if near or listed else None


def _is_given(line: Line, bound: Bound, value: Spelled) -> bool:
    """Whether the text says that the value is the option's, and does not only list both."""
    at = line.text.rfind(bound.options[-1], 0, value.start)
    if at < 0:
        return bound.binding not in ("same line", "previous line")
    return bool(_GIVES.search(line.text[at + len(bound.options[-1]) : value.start]))


def _begins_with(line: Line, value: Spelled) -> bool:
    return not line.text[: value.start].strip(" -*+•`\"'\t") and lead(line) in ("", value.text)
