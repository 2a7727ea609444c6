"""Splits pieces that are too long for the embedder: at block borders, else at line borders, never inside a line."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from schemas.chunks import Piece

CountTokens = Callable[[list[str]], list[int]]

SMALL = 4
"""A last part under a fourth of the budget is evened out with the one before it."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines of a piece that stay together, counted from 0, `end` not included."""

    piece: int
    start: int
    end: int
    text: str
    tokens: int = 0


def cap(pieces: Sequence[Piece], budget_tokens: int, count_tokens: CountTokens) -> list[Piece]:
    """The pieces, those over the budget in parts that are not; parts don't overlap and lose no line.

    A single line over the budget stays whole: its chunk's token count shows that the embedder cuts it off. A text has
    no more tokens than bytes, and its blocks have together as many as the whole; so the tokenizer is asked but three
    times: for what it adds to any text, for the blocks of long pieces, and for the lines of long blocks.
    """
    long = [index for index, piece in enumerate(pieces) if len(piece.text.encode()) > budget_tokens]
    if not long:
        return list(pieces)
    # What the tokenizer adds to every text is added to a part once, not to each of its blocks.
    added = count_tokens([""])[0]
    room = max(1, budget_tokens - added)
    blocks = _counted((block for index in long for block in _blocks(index, pieces[index])), count_tokens, added)
    lines = _counted((line for block in blocks if block.tokens > room for line in _lines(block)), count_tokens, added)
    units = sorted(
        [*(block for block in blocks if block.tokens <= room), *lines], key=lambda unit: (unit.piece, unit.start)
    )
    parts = {index: _pack(list(group), room) for index, group in groupby(units, key=lambda unit: unit.piece)}
    return [
        part
        for index, piece in enumerate(pieces)
        for part in (_cut(piece, parts[index]) if index in parts else [piece])
    ]


def _blocks(index: int, piece: Piece) -> Iterator[_Unit]:
    lines = piece.text.split("\n")
    starts = [0, *(line - piece.line_start for line in piece.breaks), len(lines)]
    for start, end in pairwise(starts):
        yield _Unit(index, start, end, "\n".join(lines[start:end]) + "\n")


def _lines(block: _Unit) -> Iterator[_Unit]:
    for start, line in enumerate(block.text.removesuffix("\n").split("\n"), start=block.start):
        yield _Unit(block.piece, start, start + 1, line + "\n")


def _counted(units: Iterable[_Unit], count_tokens: CountTokens, added: int) -> list[_Unit]:
    units = list(units)
    counts = count_tokens([unit.text for unit in units]) if units else []
    return [replace(unit, tokens=max(0, count - added)) for unit, count in zip(units, counts, strict=True)]


def _pack(units: Sequence[_Unit], room: int) -> list[list[_Unit]]:
    """Fills part after part in order."""
    parts: list[list[_Unit]] = [[]]
    filled = 0
    for unit in units:
        if parts[-1] and filled + unit.tokens > room:
            parts.append([])
            filled = 0
        parts[-1].append(unit)
        filled += unit.tokens
    if len(parts) > 1 and filled * SMALL < room:
        parts[-2:] = _even(parts[-2] + parts[-1])
    return parts


def _even(units: Sequence[_Unit]) -> list[list[_Unit]]:
    """The units in the two parts whose larger one is smallest."""
    total = sum(unit.tokens for unit in units)
    left, best, at = 0, total + 1, len(units) - 1
    for index, unit in enumerate(units[:-1], start=1):
        left += unit.tokens
        larger = max(left, total - left)
        if larger < best:
            best, at = larger, index
    return [list(units[:at]), list(units[at:])]


def _cut(piece: Piece, parts: Sequence[Sequence[_Unit]]) -> Iterator[Piece]:
    lines = piece.text.split("\n")
    for part in parts:
        start, end = part[0].start, part[-1].end
        while start < end and not lines[start].strip():
            start += 1
        while end > start and not lines[end - 1].strip():
            end -= 1
        if start < end:
            first, last = piece.line_start + start, piece.line_start + end - 1
            inside = tuple(line for line in piece.breaks if first < line <= last)
            yield replace(piece, line_start=first, line_end=last, text="\n".join(lines[start:end]), breaks=inside)
