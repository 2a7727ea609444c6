"""Ways in which an index comes to harm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from muniment.generation import publish, read_current
from muniment.store.sums import read_sums, sum_files, write_sums
from muniment.store.tables import connect
from muniment.store.writer import write_lock
from schemas.generations import Generation, TableVersion


def current(home: Path) -> Generation:
    found = read_current(home / "index")
    assert found
    return found


def files_of(home: Path) -> list[str]:
    """Every file that readers of the published generation use, relative to the index."""
    found = current(home)
    own = [f"generations/{found.number:08d}{suffix}" for suffix in (".json", ".files")]
    return ["current.json", *own, *sorted(read_sums(home / "index", found))]


def file_with(home: Path, piece: str) -> Path:
    """The largest of them whose name holds this piece."""
    named = [home / "index" / name for name in files_of(home) if piece in name]
    return max(named, key=lambda path: path.stat().st_size)


def flip(path: Path, bit: int) -> None:
    """Turns one bit of a file over."""
    raw = bytearray(path.read_bytes())
    raw[bit // 8] ^= 1 << (bit % 8)
    path.write_bytes(raw)


def flip_middle(path: Path) -> None:
    flip(path, path.stat().st_size * 4)


def republish(home: Path, table: str, change: Callable[[Any], object]) -> None:
    """Changes rows and publishes them, checksums and all: as if a compaction had carried damaged rows on."""
    index, found = home / "index", current(home)
    with write_lock(index):
        changed = connect(index).open_table(found.tables[table].name)
        change(changed)
        changed.optimize()  # or full-text search would not know of them
        tables = {**found.tables, table: TableVersion(found.tables[table].name, changed.version)}
        number = found.number + 1
        files = write_sums(index, number, sum_files(index, tables, {}))
        publish(index, found._replace(number=number, tables=tables, files=files))
