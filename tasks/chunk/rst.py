"""reStructuredText: sections by their underlines and overlines."""

import unicodedata
from collections.abc import Iterator, Sequence

from schemas.chunks import Document
from tasks.chunk.layout import Heading, Layout, below_title, outermost, paragraph_starts, shorten, titled

_ADORNMENTS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def read_rst(document: Document) -> Layout:
    """Each adornment is a level, in order of appearance, as docutils has it."""
    lines = document.text.split("\n")
    levels: dict[str, int] = {}
    headings = [
        Heading(start, levels.setdefault(look, len(levels) + 1), shorten(title), end)
        for start, end, look, title in _sections(lines)
    ]
    return Layout(
        lines,
        [bool(line.strip()) for line in lines],
        headings,
        paragraph_starts(lines),
        title=headings[0].title if titled(headings) else "",
        section=below_title if titled(headings) else outermost,
    )


def _sections(lines: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """First line, last line, adornment and title of each section heading."""
    index = 0
    while index + 1 < len(lines):
        above = lines[index - 1].strip() if index else ""
        title, below = lines[index].rstrip(), lines[index + 1].rstrip()
        beneath = lines[index + 2].rstrip() if index + 2 < len(lines) else ""
        if not above and title and title == beneath and _underlines(title, below.strip()):
            yield index + 1, index + 3, "over " + title[0], below
            index += 3
        elif not above and title and not title[0].isspace() and _underlines(below, title):
            yield index + 1, index + 2, below[0], title
            index += 2
        else:
            index += 1


def _underlines(adornment: str, title: str) -> bool:
    """Whether a line of one punctuation mark is long enough for the title; docutils only warns from four on."""
    if not adornment or not title or len(set(adornment)) > 1 or adornment[0] not in _ADORNMENTS:
        return False
    return not _is_adornment(title) and len(adornment) >= min(4, _width(title))


def _is_adornment(line: str) -> bool:
    return len(set(line)) == 1 and line[0] in _ADORNMENTS


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
