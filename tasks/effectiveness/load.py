"""Taking another assembler's log into ours: each line once, however often its file is imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment.assembly import Assembly, read_lines, record_assembly
from muniment.errors import UsageError
from schemas.effectiveness import SAMPLES, Unreadable
from tasks.effectiveness.foreign import SURFACE, read_record
from tasks.effectiveness.lines import Part, cut_blocks
from tasks.effectiveness.mapping import Mapping
from tasks.effectiveness.unusable import Unusable

_COUNTED = ("chunk_ids", "types", "kinds", "sections", "used")


@dataclass(slots=True)
class Imported:
    """What became of the lines of a file."""

    added: int = 0
    known: int = 0
    """Imported before, and not told otherwise since."""
    unreadable: int = 0
    samples: list[Unreadable] = field(default_factory=list)
    """The first few of the unreadable lines."""


def import_log(home: Path, file: Path, names: Mapping) -> Imported:
    """Adds what a file of JSON lines tells to the assembly log of `home`, and returns how much that was.

    A line whose assembly is there already adds nothing, unless another mapping now reads it differently: then it is
    added, and counts in place of the earlier one. Raises UsageError for a file or a log that can't be read or written.
    """
    done = Imported()
    known = _Known(home / "log")
    try:
        for number, line in _lines(file):
            try:
                assembly = read_record(line, names)
            except Unusable as error:
                done.unreadable += 1
                if len(done.samples) < SAMPLES:
                    done.samples.append(Unreadable(file.name, number, str(error)))
                continue
            if known.holds(assembly):
                done.known += 1
                continue
            if why := record_assembly(home, assembly):
                raise UsageError(f"can't write '{home / 'log'}': {why}", "check its owner and mode, and the disk")
            done.added += 1
    except OSError as error:
        raise UsageError(f"can't read '{error.filename}': {error.strerror}", "name a file of JSON lines") from error
    return done


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    for block in cut_blocks(Part(file, file.stat().st_size)):
        for number, line in enumerate(block.data.split(b"\n"), block.first):
            if line.strip():
                yield number, line


class _Known:
    """What was imported before, read a day at a time."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._days: dict[str, dict[str, int]] = {}

    def holds(self, assembly: Assembly) -> bool:
        """Whether this assembly was last told of in just this way; from now on it was."""
        day = self._day(assembly.at[:10])
        told = _digest({name: getattr(assembly, name) for name in _COUNTED})
        before, day[assembly.assembly] = day.get(assembly.assembly), told
        return before == told

    def _day(self, day: str) -> dict[str, int]:
        if day not in self._days:
            records = read_lines(self._log / f"assembly-{day}.jsonl")
            self._days[day] = {
                str(record.get("assembly")): _digest(record) for record in records if record.get("surface") == SURFACE
            }
        return self._days[day]


def _digest(record: dict[str, Any]) -> int:
    return hash(tuple(tuple(map(str, record.get(name) or ())) for name in _COUNTED))
