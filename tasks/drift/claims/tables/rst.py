"""reStructuredText's tables: list tables, and tables drawn with rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.drift.claims.reading.page import Page
from tasks.drift.claims.tables import Cell, Table

_LIST_TABLE = re.compile(r"(\s*)\.\.\s+(?:list|flat)-table::")
_ROW = re.compile(r"(\s*)\* - ?")
_CELL = re.compile(r"(\s*)- ?")
_RULE = re.compile(r"\s*=+(?:\s+=+)+\s*$")
_COLUMN = re.compile(r"=+")
_GRID_RULE = re.compile(r"\s*\+(?:[-=]+\+)+\s*$")


def list_tables(page: Page) -> Iterator[Table]:
    """Each `list-table`; its first row is the header."""
    for number, line in enumerate(page.lines, start=1):
        if "-table::" in line and (found := _LIST_TABLE.match(line)):
            yield from _headed(list(_list_rows(page.lines, number, len(found[1]))))


def _list_rows(lines: Sequence[str], start: int, indent: int) -> Iterator[list[Cell]]:
    row: list[Cell] = []
    for number in range(start + 1, len(lines) + 1):
        line = lines[number - 1]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        if found := _ROW.match(line):
            if row:
                yield row
            row = [_cell(line, found.end(), number)]
        elif row and (found := _CELL.match(line)) and found[0].strip() == "-":
            row.append(_cell(line, found.end(), number))
        elif row and line.strip():
            row[-1] = Cell(f"{row[-1].text} {line.strip()}", row[-1].line, row[-1].column, False)
    if row:
        yield row


def ruled_tables(page: Page) -> Iterator[Table]:
    """Each simple table: columns by its rules of `=`, the header between the first two."""
    rules = [number for number, line in enumerate(page.lines, start=1) if "==" in line and _RULE.match(line)]
    end = 0
    for first, second, third in zip(rules, rules[1:], rules[2:], strict=False):
        if first <= end or second - first not in (2, 3):
            continue
        columns = [match.start() for match in _COLUMN.finditer(page.lines[first - 1])]
        head = _ruled_rows(page.lines, range(first + 1, second), columns)
        body = _ruled_rows(page.lines, range(second + 1, third), columns)
        yield from _headed([*head, *body])
        end = third


def _ruled_rows(lines: Sequence[str], numbers: range, columns: Sequence[int]) -> Iterator[list[Cell]]:
    row: list[Cell] = []
    for number in numbers:
        line = lines[number - 1]
        cells = _slices(line, number, columns)
        if not line.strip() or set(line.strip()) <= {"-", " "}:
            continue
        if cells[0].text or not row:
            if row:
                yield row
            row = cells
        else:
            row = [_joined(above, below) for above, below in zip(row, cells, strict=True)]
    if row:
        yield row


def grid_tables(page: Page) -> Iterator[Table]:
    """Each grid table without spans: columns by the crosses of its rules."""
    rows: list[list[Cell]] = []
    columns: list[int] = []
    row: list[Cell] = []
    for number, line in enumerate([*page.lines, ""], start=1):
        if "+" in line and _GRID_RULE.match(line):
            crosses = [match.start() + 1 for match in re.finditer(r"\+", line)][:-1]
            rows += [row] if row and crosses == columns else []
            columns, row = crosses, []
        elif columns and line.lstrip().startswith("|"):
            cells = _slices(line.rstrip().rstrip("|"), number, columns, 1)
            row = [_joined(above, below) for above, below in zip(row, cells, strict=True)] if row else cells
        elif columns:
            yield from _headed(rows)
            rows, columns, row = [], [], []


def _slices(line: str, number: int, columns: Sequence[int], border: int = 0) -> list[Cell]:
    """The parts of a line by where columns begin; the last goes to the line's end."""
    ends = [start - border for start in columns[1:]] + [len(line)]
    return [_cell(line, start, number, max(start, end)) for start, end in zip(columns, ends, strict=True)]


def _cell(line: str, start: int, number: int, end: int | None = None) -> Cell:
    raw = line[start:end]
    return Cell(raw.strip(), number, start + len(raw) - len(raw.lstrip()))


def _joined(above: Cell, below: Cell) -> Cell:
    if not below.text:
        return above
    return Cell(f"{above.text} {below.text}", above.line, above.column, False) if above.text else below


def _headed(rows: Sequence[Sequence[Cell]]) -> Iterator[Table]:
    if len(rows) > 1:
        width = len(rows[0])
        yield Table(tuple(cell.text for cell in rows[0]), tuple(tuple(row) for row in rows[1:] if len(row) == width))
