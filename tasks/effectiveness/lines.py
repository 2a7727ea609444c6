"""The lines of a log as tables, block by block; a line that can't be read costs no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

BLOCK = 4 << 20
"""Bytes read at a time: what memory is bounded by, and more than any honest line has."""
SMALL = 64 << 10
"""Bytes under which each line is looked at by itself: of a log in which all are malformed, halving would take hours."""


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
        # One malformed line fails them all, and which one is not told.
        return _salvaged(block, shape)


def _salvaged(block: Block, shape: pl.Struct) -> Parsed:
    """What a block that can't be parsed holds beside its malformed lines, looked for by halving it."""
    import polars as pl

    alone = b"\n" not in block.data
    if alone or len(block.data) <= SMALL:
        rest, faults = _without_faults(block)
        if alone and not faults:
            rest, faults = Block(block.path, block.first, b""), {block.first: "a field is not what it should be"}
        if faults:
            parsed = parse_block(rest, shape)
            return Parsed(parsed.records, faults | parsed.faults)
    one, other = (parse_block(half, shape) for half in _halved(block))
    return Parsed(pl.concat([one.records, other.records]), one.faults | other.faults)


def _without_faults(block: Block) -> tuple[Block, dict[int, str]]:
    """The block with a blank line for each line that is no JSON object, and why it is none."""
    lines = block.data.split(b"\n")
    faults = {n: reason for n, line in enumerate(lines, block.first) if line.strip() and (reason := _fault(line))}
    kept = [b"" if n in faults else line for n, line in enumerate(lines, block.first)]
    return Block(block.path, block.first, b"\n".join(kept)), faults


def _decoded(block: Block, shape: pl.Struct) -> pl.DataFrame:
    """Raises ComputeError where any line is no JSON object of that shape."""
    import polars as pl

    # Not scan_ndjson: with lists in the schema, decoding a column of lines takes a third of its time.
    text = pl.col("text")
    lines = pl.scan_lines(block.data, name="text", row_index_name="line", row_index_offset=block.first)
    records = lines.filter(text.str.strip_chars() != "").select("line", record=text.str.json_decode(shape))
    return records.unnest("record").collect()


def _halved(block: Block) -> tuple[Block, Block]:
    """A block of several lines, cut at the newline before its middle, else after it."""
    middle = len(block.data) // 2
    before = block.data.rfind(b"\n", 0, middle)
    cut = before if before >= 0 else block.data.index(b"\n", middle)
    first, second = block.data[:cut], block.data[cut + 1 :]
    return Block(block.path, block.first, first), Block(block.path, block.first + first.count(b"\n") + 1, second)


def _fault(line: bytes) -> str:
    """Why a line is no JSON object, without a word of it; empty where it is one."""
    try:
        return "" if isinstance(json.loads(line.decode()), dict) else "not a JSON object"
    except (ValueError, RecursionError):
        return "not JSON"
