"""The lines of a log as tables, block by block; a line that can't be read costs no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

BLOCK = 8 << 20
"""Bytes read at a time: what memory is bounded by, and more than any honest line has."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file as long as it was when the evaluation began: others write to it meanwhile."""

    path: Path
    size: int


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a file, without the last newline."""

    path: Path
    first: int
    """Number of the first line, from 1."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Parsed:
    """The records of a block, with their `line`, and what is wrong with the other lines."""

    records: pl.DataFrame
    faults: dict[int, str]
    """Line -> reason."""


def cut_blocks(part: Part) -> Iterator[Block]:
    """The lines of a file, about BLOCK bytes at a time; of a line that is longer, too little to be read as one."""
    first, rest = 1, b""
    with part.path.open("rb") as file:
        while piece := file.read(min(BLOCK, part.size - file.tell())):
            whole, newline, tail = (rest + piece).rpartition(b"\n")
            if newline:
                yield Block(part.path, first, whole)
                first += whole.count(b"\n") + 1
            rest = tail[:BLOCK]
    if rest:
        yield Block(part.path, first, rest)


def parse_block(block: Block, shape: pl.Struct) -> Parsed:
    """The records of a block, each with the fields of `shape`; null where a field is missing."""
    import polars as pl

    try:
        return Parsed(_decoded(block, shape), {})
    except pl.exceptions.ComputeError:
        # One malformed line fails them all: halves are tried again, down to the line.
        halves = [parse_block(half, shape) for half in _halved(block)]
    if not halves:
        return Parsed(_decoded(Block(block.path, block.first, b""), shape), {block.first: _fault(block.data)})
    faults = {line: reason for half in halves for line, reason in half.faults.items()}
    return Parsed(pl.concat([half.records for half in halves]), faults)


def _decoded(block: Block, shape: pl.Struct) -> pl.DataFrame:
    """Raises ComputeError where any line is no JSON object of that shape."""
    import polars as pl

    # Not scan_ndjson: with lists in the schema, decoding a column of lines takes a third of its time.
    text = pl.col("text")
    lines = pl.scan_lines(block.data, name="text", row_index_name="line", row_index_offset=block.first)
    records = lines.filter(text.str.strip_chars() != "").select("line", record=text.str.json_decode(shape))
    return records.unnest("record").collect()


def _halved(block: Block) -> tuple[Block, ...]:
    """The block cut at the newline nearest before its middle, else after it; nothing where it is a single line."""
    middle = len(block.data) // 2
    cut = block.data.rfind(b"\n", 0, middle)
    cut = cut if cut >= 0 else block.data.find(b"\n", middle)
    if cut < 0:
        return ()
    first, second = block.data[:cut], block.data[cut + 1 :]
    return Block(block.path, block.first, first), Block(block.path, block.first + first.count(b"\n") + 1, second)


def _fault(line: bytes) -> str:
    """Why a line can't be read; never holds a word of it."""
    try:
        return "a field is not what it should be" if isinstance(json.loads(line), dict) else "not a JSON object"
    except (ValueError, RecursionError):
        return "not JSON"
