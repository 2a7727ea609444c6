"""Where the values of a bill stand, and which words label them: before, above, or behind."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from muniment.records.fold import fold
from muniment.records.noise import BLANK

_CELLS = re.compile(r"[ \t]{2,}|[ ]?\|[ ]?|\t")
_LETTER = re.compile(r"[^\W\d_]")
_MAX_LABEL = 120


class Spanned(Protocol):
    """Something found in a line."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it has ended."""
        ...


V = TypeVar("V", bound=Spanned)


@dataclass(frozen=True, slots=True)
class Placed(Generic[V]):
    """A value with the folded texts that may label it, the likeliest first."""

    value: V
    labels: tuple[str, ...]
    line: int
    """From 0."""
    column: int
    """Which of the line's values it is, from 0."""


def place(lines: Sequence[str], found: Sequence[Sequence[V]]) -> list[Placed[V]]:
    """Every value found in some masked lines, with its labels."""
    placed = []
    above = ""
    for number, (line, values) in enumerate(zip(lines, found, strict=True)):
        for column, value in enumerate(values):
            placed.append(Placed(value, _labels(line, values, column, above), number, column))
        if _LETTER.search(line):
            above = "" if values else line
        elif line.strip(" |:-·\t"):
            # A row of bare values: what stood above labels them, not the row below.
            above = ""
    return placed


def _labels(line: str, values: Sequence[Spanned], column: int, above: str) -> tuple[str, ...]:
    """The words before a value; values in a row share those before the first of them."""
    first = column
    while first and not _LETTER.search(line[values[first - 1].end : values[first].start]):
        first -= 1
    before = line[values[first - 1].end if first else 0 : values[first].start]
    if _LETTER.search(before):
        return (_clean(before[-_MAX_LABEL:]),)
    end = values[column + 1].start if column + 1 < len(values) else len(line)
    behind = line[values[column].end : end]
    return tuple(_clean(label) for label in (_heading(line, values, column, above), behind[:_MAX_LABEL]) if label)


def _heading(line: str, values: Sequence[Spanned], column: int, above: str) -> str:
    """The words above a value: its cell of the row above, or that whole line where there is one value only."""
    row, heads = _cells(line), _cells(above)
    if len(row) == len(heads) > 1:
        start = values[column].start
        return heads[sum(1 for begin, _ in row if begin <= start) - 1][1]
    return above[-_MAX_LABEL:] if len(values) == 1 and len(heads) == 1 else ""


def _cells(line: str) -> list[tuple[int, str]]:
    cells, begin = [], 0
    for match in [*_CELLS.finditer(line), None]:
        end = match.start() if match else len(line)
        if line[begin:end].strip():
            cells.append((begin, line[begin:end]))
        begin = match.end() if match else end
    return cells


def _clean(label: str) -> str:
    return fold(label).replace(BLANK, " ").strip(" |:;.-*_#\t=>")
