"""The vector cache of one embedder: a vector by the hash of its text, each with a checksum of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from muniment.store.faults import readable
from muniment.store.sums import SUM_DIGITS
from schemas.columns import EMBEDDINGS, arrow_schema

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.db import DBConnection
    from numpy.typing import NDArray

PREFIX = "embeddings_"
"""Begins the name of every cache; no other table's does."""
FACTOR = 4
SLACK = 10_000
_AT_ONCE = timedelta(milliseconds=1)  # zero warns


def cache_name(embedder: str) -> str:
    """The table that vectors of this fingerprint are kept in."""
    return PREFIX + hashlib.sha256(embedder.encode()).hexdigest()[:16]


def vector_sums(hashes: Sequence[str | None], vectors: NDArray[np.float32]) -> list[str]:
    """The checksum of each vector together with the hash it is kept under."""
    rows = zip(hashes, vectors, strict=True)
    return [hashlib.sha256((key or "").encode() + row.tobytes()).hexdigest()[:SUM_DIGITS] for key, row in rows]


def vectors_of(column: Any) -> NDArray[np.float32]:
    """The vectors of a column without nulls, one a row."""
    flat: NDArray[np.float32] = column.flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(len(column), column.type.list_size)


def sound(rows: pa.RecordBatch) -> list[bool]:
    """Whether each row of a cache still has the checksum that it was written with."""
    if not rows.num_rows:
        return []
    found = vector_sums(rows["embed_hash"].to_pylist(), vectors_of(rows["vector"]))
    return [made == kept for made, kept in zip(found, rows["vector_sum"].to_pylist(), strict=True)]


class VectorCache:
    """Vectors that were ever computed under one fingerprint; a row whose checksum does not hold is as good as none."""

    def __init__(self, db: DBConnection, embedder: str, dimension: int) -> None:
        self._db = db
        self._name = cache_name(embedder)
        self._schema = arrow_schema(EMBEDDINGS, dimension)
        self._grown = False
        with readable("the cache of vectors", ValueError):
            self._open()

    def _open(self) -> None:
        if self._name not in self._db.list_tables(limit=10_000).tables:
            self._replace(self._schema.empty_table())
            return
        self._table = self._db.open_table(self._name)
        if self._table.schema.names != self._schema.names:  # by a muniment that kept no checksums
            old = self._table.to_arrow().select(["embed_hash", "vector"]).combine_chunks()
            hashes: list[Any] = old["embed_hash"].to_pylist()
            self._replace(self._rows(hashes, vectors_of(old["vector"].combine_chunks())))

    def find(self, hashes: pa.Array[pa.StringScalar]) -> pa.Table:
        """Columns embed_hash and vector of those texts whose vector is known; reads the cache once, in pieces."""
        return self._find(hashes).drop_columns(["vector_sum"])

    def remember(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keeps these vectors, in place of damaged ones under the same hashes."""
        if hashes:
            merge = self._table.merge_insert("embed_hash").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(self._rows(hashes, vectors))
            self._grown = True

    def drop_damaged(self) -> None:
        """Forgets the vectors whose checksum does not hold; they are computed again when they are needed."""
        import pyarrow as pa

        found = list(self._table.search().to_batches())
        holds = [sound(batch) for batch in found]
        if not all(map(all, holds)):
            whole = [batch.filter(pa.array(each, pa.bool_())) for batch, each in zip(found, holds, strict=True)]
            self._replace(pa.Table.from_batches([batch.select(self._schema.names) for batch in whole], self._schema))

    def forget(self) -> None:
        """Empties the cache."""
        self._replace(self._schema.empty_table())

    def tidy(self, chunks: int, used: Callable[[], pa.Array[pa.StringScalar]]) -> None:
        """Compacts what has grown; keeps a vector that no chunk uses until there are far more of them than `chunks`.

        An edit may be undone. `used` returns the hashes of the chunks.
        """
        if self._grown:
            if self._table.count_rows() > FACTOR * chunks + SLACK:
                self._replace(self._find(used()))
            with readable("the cache of vectors"):
                self._table.optimize(cleanup_older_than=_AT_ONCE, delete_unverified=True)

    def _find(self, hashes: pa.Array[pa.StringScalar]) -> pa.Table:
        import pyarrow as pa
        import pyarrow.compute as pc

        found = []
        for batch in self._table.search().to_batches() if len(hashes) else ():
            wanted = batch.select(self._schema.names).filter(pc.is_in(batch["embed_hash"], value_set=hashes))
            found.append(wanted.filter(pa.array(sound(wanted), pa.bool_())))
        return pa.Table.from_batches(found, self._schema)

    def _rows(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> pa.Table:
        import pyarrow as pa

        flat = pa.array(vectors.reshape(-1), pa.float32())
        column = pa.FixedSizeListArray.from_arrays(flat, type=self._schema.field("vector").type)
        sums = vector_sums(hashes, vectors.astype("float32", copy=False))
        return pa.table([pa.array(hashes, pa.string()), column, pa.array(sums, pa.string())], schema=self._schema)

    def _replace(self, rows: pa.Table) -> None:
        self._table = self._db.create_table(self._name, rows, schema=self._schema, mode="overwrite")
