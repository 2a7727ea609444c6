"""Markdown's tables: pipes between the cells, escaped or not inside of code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.drift.claims.reading.page import MAX_LINE, Page
from tasks.drift.claims.tables import Cell, Table

_RULE = re.compile(r"[\s>]{0,12}\|?[\s:|-]{3,1000}$")
_BREAK = re.compile(r"\\.|`+|\||[^\\`|]+", re.DOTALL)


def pipe_tables(page: Page) -> Iterator[Table]:
    """Each table outside of code: a header, a rule, and rows up to the first line without a pipe."""
    end = 0
    for number, rule in enumerate(page.lines[1:], start=2):
        if number <= end or "-" not in rule or "|" not in rule or not _RULE.match(rule) or number in page.code:
            continue
        head = cells_of(page.lines[number - 2], number - 1)
        if len(head) == len(cells_of(rule, number)) and not _RULE.match(page.lines[number - 2]):
            end = next(
                (last for last in range(number, len(page.lines)) if "|" not in page.lines[last]), len(page.lines)
            )
            yield Table(tuple(cell.text for cell in head), tuple(_rows(page, number, end, len(head))))


def _rows(page: Page, rule: int, end: int, width: int) -> Iterator[tuple[Cell, ...]]:
    """The rows up to line `end` that have as many cells as the header."""
    for number in range(rule + 1, end + 1):
        line = page.lines[number - 1]
        if len(line) > MAX_LINE:
            continue
        cells = cells_of(line, number)
        if len(cells) != width:
            cells = cells_of(line, number, code=True)
        if len(cells) == width:
            yield cells


def cells_of(line: str, number: int, *, code: bool = False) -> tuple[Cell, ...]:
    """The cells of one line; with `code`, pipes inside of code spans are text, as many writers take them to be."""
    borders = list(_borders(line, code))
    first = len(line) - len(line.lstrip(" \t>"))
    if borders and borders[0] == first:
        first, borders = borders[0] + 1, borders[1:]
    if not borders or line[borders[-1] + 1 :].strip():
        borders.append(len(line))
    cells = []
    for border in borders:
        raw = line[first:border]
        text = raw.strip()
        cells.append(Cell(text.replace("\\|", "|"), number, first + len(raw) - len(raw.lstrip()), "\\|" not in text))
        first = border + 1
    return tuple(cells)


def _borders(line: str, code: bool) -> Iterator[int]:
    """Where the pipes stand that part cells."""
    if not code and "\\" not in line:
        start = line.find("|")
        while start >= 0:
            yield start
            start = line.find("|", start + 1)
        return
    opened = ""
    for match in _BREAK.finditer(line):
        if code and match[0][0] == "`" and (not opened or opened == match[0]):
            opened = "" if opened else match[0] if match[0] in line[match.end() :] else ""
        elif match[0] == "|" and not opened:
            yield match.start()
