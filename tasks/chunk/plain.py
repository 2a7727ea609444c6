"""Plain text: headings only where they can hardly be anything else."""

import re
from collections.abc import Iterator, Sequence

from schemas.chunks import Document
from tasks.chunk.layout import Heading, Layout, below_title, outermost, paragraph_starts, shorten, titled

_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5}\.?)\s+[A-Z]")
_UNDERLINES = "=-~*^#+_"
MAX_HEADING = 80
MAX_CAPITALS = 60
"""A longer line in capitals shouts, or is a table's head."""


def read_plain(document: Document) -> Layout:
    """Headings are underlined, in capitals, or numbered; each look is a level, in order of appearance."""
    lines = document.text.split("\n")
    levels: dict[str, int] = {}
    headings = [
        Heading(number, levels.setdefault(look, len(levels) + 1), shorten(lines[number - 1]), number + underlines)
        for number, look, underlines in _looks(lines)
    ]
    return Layout(
        lines,
        [bool(line.strip()) for line in lines],
        headings,
        paragraph_starts(lines),
        title=headings[0].title if titled(headings) and not "".join(lines[: headings[0].line - 1]).strip() else "",
        section=below_title if titled(headings) else outermost,
    )


def _looks(lines: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """Line number, look, and lines of underline of each heading."""
    for index, line in enumerate(lines):
        above = lines[index - 1].strip() if index else ""
        if above or not line.strip() or len(line) > MAX_HEADING or line[:1].isspace():
            continue
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if _is_underline(below, line):
            yield index + 1, below[0], 1
        elif not below.strip() and _is_capitals(line):
            yield index + 1, "capitals", 0
        elif not below.strip() and (found := _NUMBERED.match(line)) and not line.endswith((".", ":", ";", ",")):
            depth = found[1].rstrip(".").count(".")
            # Items of a list are numbered as well; but nobody sets them two lines apart.
            if depth or not "".join(lines[max(0, index - 2) : index]).strip():
                yield index + 1, f"numbered {depth}", 0


def _is_underline(below: str, line: str) -> bool:
    below = below.rstrip()
    long_enough = len(below) >= 3 and len(below) * 2 >= len(line.rstrip())
    return long_enough and below[0] in _UNDERLINES and len(set(below)) == 1 and any(map(str.isalpha, line))


def _is_capitals(line: str) -> bool:
    line = line.strip()
    letters = sum(map(str.isalpha, line))
    return (
        line.isupper()
        and letters >= 4
        and len(line) <= MAX_CAPITALS
        and letters * 2 > len(line)
        and "  " not in line
        and not set(line) & set("=<>{}[]|\\$;_")
        and not line.endswith((".", "!", ","))
    )
