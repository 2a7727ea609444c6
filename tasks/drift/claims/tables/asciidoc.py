"""AsciiDoc's tables: rows of one line, or one cell a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.drift.claims.reading.page import Page
from tasks.drift.claims.tables import Cell, Table

_EDGE = re.compile(r"\|={3,}\s*$")
_BORDER = re.compile(r"(?<!\\)(?:(?:\d{1,3}\+)?[<^>.]{0,4}[adehlmsv]?)\|(?=\s|\S)")


def asciidoc_tables(page: Page) -> Iterator[Table]:
    """Each table between two `|===` lines; the header is its first row."""
    edges = [number for number, line in enumerate(page.lines, start=1) if line.startswith("|===") and _EDGE.match(line)]
    for start, end in zip(edges[::2], edges[1::2], strict=False):
        yield from _table(page.lines, start + 1, end)


def _table(lines: Sequence[str], start: int, end: int) -> Iterator[Table]:
    cells = [(number, list(_cells(lines[number - 1], number))) for number in range(start, end)]
    head = next((row for _, row in cells if row), [])
    width = len(head)
    if width < 2:
        return
    rows: list[tuple[Cell, ...]] = []
    row: list[Cell] = []
    for number, found in cells:
        if row and not found and lines[number - 1].strip():
            row[-1] = Cell(f"{row[-1].text} {lines[number - 1].strip()}", row[-1].line, row[-1].column, False)
        row += found
        if len(row) >= width and _row_ends(lines, number, end):
            rows += [tuple(row)] if len(row) == width else []
            row = []
    if len(rows) > 1:
        yield Table(tuple(cell.text for cell in rows[0]), tuple(rows[1:]))


def _row_ends(lines: Sequence[str], number: int, end: int) -> bool:
    following = lines[number] if number + 1 < end else ""
    return not following.strip() or following.lstrip().startswith("|")


def _cells(line: str, number: int) -> Iterator[Cell]:
    if not line.lstrip()[:4].strip("0123456789+<^>.adehlmsv ").startswith("|"):
        return
    borders = list(_BORDER.finditer(line))
    ends = [*(border.start() for border in borders[1:]), len(line)]
    for start, stop in zip((border.end() for border in borders), ends, strict=True):
        raw = line[start:stop]
        yield Cell(raw.strip(), number, start + len(raw) - len(raw.lstrip()))
