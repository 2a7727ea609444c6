"""The chunks of a small index, kept in memory once a process has searched it more than once.

Reading the columns of a hundred rows costs LanceDB three times what finding them does, and a published version of a
table never changes. A command that asks one question never loads this (docs/benchmarks.md has the figures).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MAX_ROWS = 20_000
"""About 30 MB of vectors and as much text; LanceDB has its own vector index above it."""
COLD_READS = 2
"""Of one table, answered by LanceDB itself: a search by words and vectors reads twice."""
_KEPT = 2
"""Tables: those of the published generation, and of the one before while its last readers end."""


class Key(NamedTuple):
    """One version of one table, wherever it is opened; the run tells it from one of an index that was wiped since."""

    place: str
    """The index folder, or where it lies in a bucket."""
    run: str
    table: str
    version: int
    withheld: bool = False
    """Whether sensitive rows are left out."""


class Resident:
    """All rows of one version of `chunks`."""

    def __init__(self, rows: pa.Table) -> None:
        import numpy as np

        self._places = {row_id: place for place, row_id in enumerate(rows["_rowid"].to_pylist())}
        self._rows = rows.drop_columns(["_rowid"]).combine_chunks()
        self._embedded = np.empty(0, np.int64)
        if "vector" in rows.column_names and rows["vector"].null_count < len(rows):
            self._embedded = np.flatnonzero(rows["vector"].is_valid().to_numpy())
            # `flatten` leaves out what stands behind nulls.
            column: Any = self._rows["vector"].combine_chunks()
            self._vectors = column.flatten().to_numpy().reshape(len(self._embedded), -1)

    def take(self, row_ids: pa.ChunkedArray[pa.UInt64Scalar], columns: Sequence[str]) -> pa.Table:
        """These columns of these rows, in the order given."""
        import pyarrow as pa

        places = pa.array([self._places[row_id] for row_id in row_ids.to_pylist()], pa.int64())
        return self._rows.select(list(columns)).take(places)

    def nearest(self, vector: NDArray[np.float32], limit: int, columns: Sequence[str]) -> pa.Table:
        """The nearest rows, nearest first, with `_distance` (1 - cosine); rows without a vector are passed over."""
        import numpy as np
        import pyarrow as pa

        if not len(self._embedded):
            empty = self._rows.select(list(columns)).slice(0, 0)
            return empty.append_column("_distance", pa.array([], pa.float32()))
        # Not `@`: the threads of BLAS cost more than they save at this size, and wait for each other on a busy machine.
        cosines = np.einsum("rd,d->r", self._vectors, vector)
        first = np.argpartition(-cosines, min(limit, len(cosines)) - 1)[:limit]
        best = first[np.lexsort((first, -cosines[first]))]
        found = self._rows.select(list(columns)).take(self._embedded[best])
        return found.append_column("_distance", pa.array(1.0 - cosines[best], pa.float32()))


_reads: dict[Key, int] = {}
_resident: dict[Key, Resident] = {}


def resident(key: Key, rows: int, load: Callable[[], pa.Table]) -> Resident | None:
    """The table in memory, from the third read of it in this process on; None before, and for a table of many rows.

    `load` returns all rows with their `_rowid`.
    """
    if key in _resident:
        return _resident[key]
    if rows > MAX_ROWS:
        return None
    _reads[key] = _reads.get(key, 0) + 1
    if _reads[key] <= COLD_READS:
        return None
    # Two threads may both load it: the same rows, and the later one stays.
    _resident[key] = made = Resident(load())
    for old in list(_resident)[:-_KEPT]:
        _resident.pop(old, None)
    _reads.clear()
    return made
