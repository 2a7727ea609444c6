"""What the tables of a generation hold, for the sake of checking them.

Nothing is withheld here: whoever shows what was found names no document that is sensitive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import ForeignIndex
from muniment.store.cache import cache_name, sound
from muniment.store.faults import readable
from muniment.store.sums import table_folder
from muniment.store.tables import connect, open_at
from schemas.generations import Generation, TableVersion

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a search index reaches."""

    column: str
    indexed: int
    unindexed: int


def batches(index: Path, table: TableVersion, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """These columns of every row, in pieces. Raises ForeignIndex where the rows can't be read."""
    with readable(f"table {table.name}", ValueError):
        reader = open_at(connect(index), table).search().select(list(columns)).to_batches(ROWS_AT_ONCE)
    while True:
        with readable(f"table {table.name}", ValueError):
            batch = next(iter(reader), None)
        if batch is None:
            return
        yield batch


def rows(index: Path, table: TableVersion, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """These columns of every row, one by one. Raises ForeignIndex where they can't be read."""
    for batch in batches(index, table, columns):
        yield from batch.to_pylist()


def unreadable(index: Path, generation: Generation) -> set[str]:
    """Names of the tables of which not every row can be read."""
    return {name for name, table in generation.tables.items() if not _is_readable(index, table)}


def _is_readable(index: Path, table: TableVersion) -> bool:
    try:
        with readable(f"table {table.name}", ValueError):
            columns = open_at(connect(index), table).schema.names
        for _ in batches(index, table, columns):
            pass
    except ForeignIndex:
        return False
    return True


def coverage(index: Path, table: TableVersion) -> list[Coverage]:
    """The search indexes of a version. Raises ForeignIndex."""
    with readable(f"table {table.name}", ValueError):
        found = open_at(connect(index), table).list_indices()
        return [Coverage(one.columns[0], one.num_indexed_rows or 0, one.num_unindexed_rows or 0) for one in found]


def take_up(index: Path, name: str) -> None:
    """Does what a writer does before it writes a table. Raises ForeignIndex where that fails."""
    with readable(f"table {name}", ValueError):
        table = connect(index).open_table(name)
        table.tags.list()
        table.list_versions()


def cached_sums(index: Path, embedder: str) -> tuple[dict[str, str], int]:
    """Hash -> checksum of every sound vector under a fingerprint, and how many are damaged. Raises ForeignIndex."""
    name, kept, damaged = cache_name(embedder), dict[str, str](), 0
    if not table_folder(index, name).exists():
        return kept, damaged
    with readable(f"table {name}", ValueError):
        table = connect(index).open_table(name)
        table.list_versions()  # as a writer does: an old one that is torn would stop it
        if "vector_sum" not in table.schema.names:
            return kept, damaged
        for batch in table.search().to_batches(ROWS_AT_ONCE):
            for holds, key, made in zip(sound(batch), *(batch[c].to_pylist() for c in _KEPT), strict=True):
                if holds:
                    kept[key] = made
                damaged += not holds
    return kept, damaged


_KEPT = ("embed_hash", "vector_sum")
