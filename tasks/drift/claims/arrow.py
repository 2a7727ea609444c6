"""A list of values under an option, with the default in bold: `- **N** => meaning`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.claims import Claim
from tasks.drift.claims.binding import bind, claims_at
from tasks.drift.claims.reading.page import Line, Page, page_of
from tasks.drift.claims.reading.spelled import Spelled, spelled_at
from tasks.drift.tree import TextFile

_ITEM = re.compile(r"\s*[-*+] (\*\*|__)?([^*\n=]{1,100}?)(\*\*|__)? {1,12}(?:=>|⇒) ?")
_EMPTY = frozenset(("empty", "unset", "not set", "undefined"))


def arrow_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each list of values in which just one is bold.

    Where that one is `empty`, what it means is the value, if it is one.
    """
    page = page_of(file)
    if page.syntax not in ("markdown", "text"):
        return
    items: list[Line] = []
    for line in page.mentions(" =>", " ⇒"):
        if line.region != "prose" or not _ITEM.match(line.text):
            continue
        if items and not _continues(page, items[-1], line):
            yield from _claim(page, items)
            items = []
        items.append(line)
    if items:
        yield from _claim(page, items)


def _continues(page: Page, above: Line, line: Line) -> bool:
    """Whether nothing but text of the same list stands between two items."""
    between = page.lines[above.number : line.number - 1]
    return line.indent == above.indent and all(text.startswith(" " * (above.indent + 1)) for text in between)


def _claim(page: Page, items: Sequence[Line]) -> Iterator[Claim]:
    bold = [line for line in items if (found := _ITEM.match(line.text)) and found[1] and found[3]]
    if len(bold) != 1:
        return
    found = _ITEM.match(bold[0].text)
    value = _value(bold[0].text, found) if found else None
    if value and (bound := bind(page, bold[0], _start(bold[0]))):
        yield from claims_at(page, bold[0], "arrow", value, bound)


def _start(line: Line) -> int:
    """Where the item's text begins."""
    return len(line.text) - len(line.text.lstrip()) + 2


def _value(text: str, found: re.Match[str]) -> Spelled | None:
    name = found[2].strip().strip("`")
    if name.lower() in _EMPTY:
        return _meant(text, found.end())
    start = text.index(name, found.start(2))
    return Spelled(name, start, len(name), found.end(), True)


def _meant(text: str, start: int) -> Spelled | None:
    """The value that an empty one stands for; None where the text describes it."""
    meaning = spelled_at(text, start) or spelled_at(text, start, words=True)
    rest = text[meaning.end :].strip(" .\\") if meaning else ""
    return meaning if not rest or (rest.startswith("(") and rest.endswith(")")) else None
