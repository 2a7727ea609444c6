"""AsciiDoc: sections by their `=` prefixes or two-line titles, outside of delimited blocks."""

import re
from collections.abc import Iterator, Sequence

from schemas.chunks import Document
from tasks.chunk.layout import Heading, Layout, below_title, outermost, paragraph_starts, shorten, titled

_PREFIXED = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```.*|[|,:!]={3,})$")
_ATTACHED = ("[", "//", ":", ".")
"""What may stand right above a section title: anchors, comments, attributes, block titles."""

_UNDERLINES = "=-~^+"


def read_adoc(document: Document) -> Layout:
    """The outline of an AsciiDoc file; its title is the level-0 heading."""
    lines = document.text.split("\n")
    headings = list(_sections(lines))
    return Layout(
        lines,
        [bool(line.strip()) for line in lines],
        headings,
        paragraph_starts(lines),
        title=next((heading.title for heading in headings if heading.level == 1), ""),
        section=below_title if titled(headings) else outermost,
    )


def _sections(lines: Sequence[str]) -> Iterator[Heading]:
    fence, index = "", 0
    while index < len(lines):
        line = lines[index].rstrip()
        above = lines[index - 1].strip() if index else ""
        below = lines[index + 1].rstrip() if index + 1 < len(lines) else ""
        if fence:
            fence = "" if line == fence else fence
        elif above and not above.startswith(_ATTACHED):
            pass
        elif not above and _is_two_line(line, below):
            yield Heading(_start(lines, index), _UNDERLINES.index(below[0]) + 1, shorten(line), index + 2)
            index += 1
        elif found := _PREFIXED.match(line):
            yield Heading(_start(lines, index), len(found[1]), shorten(found[2].rstrip(" =#")), index + 1)
        elif _DELIMITER.match(line):
            fence = "```" if line.startswith("```") else line
        index += 1


def _start(lines: Sequence[str], index: int) -> int:
    """The number of the line with which a section begins: its title's, or that of an anchor right above."""
    return index if index and lines[index - 1].startswith("[") else index + 1


def _is_two_line(title: str, below: str) -> bool:
    return (
        len(below) >= 3
        and below[0] in _UNDERLINES
        and len(set(below)) == 1
        and abs(len(below) - len(title)) <= 2
        and any(map(str.isalnum, title))
        and not title[:1].isspace()
        and not title.startswith((".", "[", "//"))
    )
