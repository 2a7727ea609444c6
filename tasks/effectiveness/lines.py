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
        lines = pl.scan_lines(block.data, name="text", row_index_name="line", row_index_offset=block.first)
        return Parsed(_decoded(lines, shape), {})
    except pl.exceptions.ComputeError:
        # One malformed line fails them all, so the block is read once more, line by line.
        return _salvaged(block, shape)


def _decoded(lines: pl.LazyFrame, shape: pl.Struct) -> pl.DataFrame:
    """Raises ComputeError where any line is no JSON object of that shape."""
    import polars as pl

    # Not scan_ndjson: with lists in the schema, decoding a column of lines takes a third of its time.
    text = pl.col("text")
    return (
        lines.filter(text.str.strip_chars() != "").select("line", record=text.str.json_decode(shape)).unnest("record")
    ).collect()


def _salvaged(block: Block, shape: pl.Struct) -> Parsed:
    import polars as pl

    texts: dict[int, str] = {}
    faults: dict[int, str] = {}
    for number, raw in enumerate(block.data.split(b"\n"), block.first):
        try:
            texts[number] = raw.decode()
            if raw.strip() and not isinstance(json.loads(raw), dict):
                faults[number] = "not a JSON object"
        except (ValueError, RecursionError):
            faults[number] = "not JSON"
    sound = [number for number in texts if number not in faults]
    lines = pl.DataFrame(
        {"line": sound, "text": [texts[number] for number in sound]}, {"line": pl.UInt32, "text": pl.String}
    )
    return Parsed(pl.concat([lines.clear().pipe(_read, shape), *_halved(lines, shape, faults)]), faults)


def _read(lines: pl.DataFrame, shape: pl.Struct) -> pl.DataFrame:
    return _decoded(lines.lazy(), shape)


def _halved(lines: pl.DataFrame, shape: pl.Struct, faults: dict[int, str]) -> list[pl.DataFrame]:
    """What can be read of lines that are JSON objects, found by halving; the rest is added to the faults."""
    import polars as pl

    try:
        return [_read(lines, shape)]
    except pl.exceptions.ComputeError:
        if lines.height == 1:
            faults[lines["line"][0]] = "a field is not what it should be"
            return []
        half = lines.height // 2
        return [*_halved(lines[:half], shape, faults), *_halved(lines[half:], shape, faults)]
