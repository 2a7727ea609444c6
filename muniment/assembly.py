"""The assembly log: which chunks each search and ask gathered, and which were used. Never any text of them.

Standard library only. One JSON line an assembly, in a file a day, under `log/` of the home.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from muniment.errors import UsageError
from muniment.inert import write_json

LOG = "log"
"""Folder of the home."""
NAMED = "assembly-*.jsonl"


@dataclass(frozen=True, slots=True)
class Gathered:
    """A chunk as an assembly knows it."""

    chunk_id: str
    kind: str
    type: str
    section: str
    rank: int
    """Place in the search, from 1."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """One act of gathering chunks for a question."""

    assembly: str
    """Its id, which begins with the day."""
    at: str
    """When, in UTC."""
    act: str
    """search, ask or assemble."""
    surface: str
    """cli, http, mcp or python."""
    generation: int
    elapsed_ms: float
    chunk_ids: tuple[str, ...]
    kinds: tuple[str, ...]
    types: tuple[str, ...]
    sections: tuple[str, ...]
    ranks: tuple[int, ...]
    used: tuple[str, ...]
    """Ids of the chunks that were cited; more may be told of later."""
    outcome: str = ""
    """`answered`, or a key of NO_ANSWER; empty for a search."""


def make_assembly(
    now: datetime,
    act: str,
    surface: str,
    *,
    generation: int,
    elapsed_ms: float,
    gathered: Sequence[Gathered],
    used: Sequence[str] = (),
    outcome: str = "",
) -> Assembly:
    """The record of one act, with an id of its own; `now` is in UTC."""
    return Assembly(
        assembly=f"{now:%Y%m%d}-{token_hex(6)}",
        at=now.isoformat(timespec="milliseconds"),
        act=act,
        surface=surface,
        generation=generation,
        elapsed_ms=round(elapsed_ms, 1),
        chunk_ids=tuple(one.chunk_id for one in gathered),
        kinds=tuple(one.kind for one in gathered),
        types=tuple(one.type for one in gathered),
        sections=tuple(one.section for one in gathered),
        ranks=tuple(one.rank for one in gathered),
        used=tuple(used),
        outcome=outcome,
    )


def record_assembly(home: Path, assembly: Assembly) -> str:
    """Appends the assembly to the file of its day; returns why that was not possible, or nothing."""
    try:
        _append(_file(home, assembly.at), asdict(assembly))
    except OSError as error:
        # A full or read-only disk must not cost anybody an answer.
        return error.strerror or str(error)
    return ""


def record_feedback(home: Path, now: datetime, assembly: str, used: Sequence[str]) -> None:
    """Appends that these chunks of an assembly were used.

    Raises UsageError for an assembly that is not in the log, a chunk that it did not gather, and where the log can't
    be written.
    """
    known = find_assembly(home, assembly)
    if known is None:
        raise UsageError(f"no assembly '{assembly}' in '{home / 'log'}'", "'muniment ask --json' prints its id")
    if foreign := next((chunk for chunk in used if chunk not in known["chunk_ids"]), None):
        raise UsageError(f"assembly '{assembly}' did not gather chunk '{foreign}'", "name ids that it printed")
    at = now.isoformat(timespec="milliseconds")
    try:
        _append(_file(home, at), {"assembly": assembly, "at": at, "act": "feedback", "used": list(used)})
    except OSError as error:
        raise UsageError(f"can't write '{home / 'log'}': {error.strerror}", "check its owner and mode") from error


def find_assembly(home: Path, assembly: str) -> dict[str, Any] | None:
    """The record with this id; None when the log has none."""
    day = assembly[:8]
    name = f"assembly-{day[:4]}-{day[4:6]}-{day[6:8]}.jsonl"
    records = (record for record in read_lines(home / LOG / name) if day.isdigit() and "chunk_ids" in record)
    return next((record for record in records if record.get("assembly") == assembly), None)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file in the order they were written; a torn line is passed over."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _file(home: Path, at: str) -> Path:
    return home / LOG / f"assembly-{at[:10]}.jsonl"


def _append(path: Path, record: dict[str, Any]) -> None:
    """One whole line in one write, after whatever other processes wrote; a line torn by a crash is closed first."""
    line = write_json(record, separators=(",", ":")).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        # The kernel's lock: it goes away with a killed process.
        fcntl.flock(handle, fcntl.LOCK_EX)
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            line = b"\n" + line
        if os.write(handle, line) != len(line):
            os.ftruncate(handle, size)  # no room: half a record is none
            raise OSError(28, "no room is left for a whole line")
    finally:
        os.close(handle)
