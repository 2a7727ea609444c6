"""Reading one published generation: rows, full-text matches, nearest vectors."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import IndexMismatch
from muniment.generation import Generation, held_generation
from muniment.store.faults import translated
from muniment.store.resident import Key, Resident, resident
from muniment.store.tables import PUBLISHED_TABLES, connect, open_at
from schemas.columns import CHUNKS
from schemas.versions import SCHEMA_VERSION

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.expr import Expr
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Filter:
    """Hard limits on what a search may return; empty means no limit."""

    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    """In any case, as sections are."""
    sections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] | None = None
    """Only chunks of these documents; None means all, an empty tuple none."""

    def expression(self) -> Expr | None:
        """The filter as LanceDB takes it; values are literals and never part of the syntax."""
        from lancedb import col, lit

        exact = (("kind", self.kinds), ("source", self.sources))
        parts = [col(name).isin(list(values)) for name, values in exact if values]
        for name, values in (("type", self.types), ("section", self.sections)):
            if values:
                parts.append(col(name).lower().isin([value.lower() for value in values]))
        if self.doc_ids is not None:
            parts.append(col("doc_id").isin(list(self.doc_ids)) if self.doc_ids else lit(1) == lit(0))
        whole = None
        for part in parts:
            whole = part if whole is None else whole & part
        return whole


class Reader:
    """One generation's tables, open at the versions it names."""

    def __init__(self, index: Path, generation: Generation) -> None:
        self.generation = generation
        self._tables = {name: open_at(connect(index), generation.tables[name]) for name in PUBLISHED_TABLES}
        self._key = Key(str(index.absolute()), generation.run, *generation.tables["chunks"])
        self._chunk_count = sum(state.chunks for state in generation.sources.values())

    def rows(self, table: str, columns: Sequence[str], within: Filter | None = None) -> pa.Table:
        """These columns of every row of `documents` or `skipped` that the filter admits."""
        return _fetch(self._tables[table].search(), columns, within)

    def chunks(self, columns: Sequence[str], within: Filter | None = None) -> pa.Table:
        """These columns of every chunk that the filter admits."""
        return _fetch(self._tables["chunks"].search(), columns, within)

    def chunks_by_id(self, chunk_ids: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """These columns of the chunks with these ids, in no order; ids that are not there are left out."""
        from lancedb import col

        return _fetch(self._tables["chunks"].search(), columns, besides=col("chunk_id").isin(list(chunk_ids)))

    def disagreeing(self, columns: Sequence[str]) -> pa.Table:
        """These columns of every claim whose verdict is that it disagrees, by document and line."""
        from lancedb import col, lit

        found = _fetch(self._tables["claims"].search(), columns, besides=col("verdict") == lit("disagrees"))
        return found.sort_by([("path", "ascending"), ("line", "ascending")])

    def holds(self, table: str, column: str, value: str) -> bool:
        """Whether any row of a table has this value in a column of text, in any case."""
        from lancedb import col

        found = self._tables[table].search().limit(1)
        return _fetch(found, [column], besides=col(column).lower() == value.lower()).num_rows > 0

    def match(self, words: str, within: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """The best full-text matches, best first, with `_score` (BM25, higher is better)."""
        from lancedb.query import MatchQuery

        # Not a plain string: quotes in one make a phrase query, which this index has no positions for.
        query = MatchQuery(words, "terms")  # type: ignore[call-arg]  # the checker does not see pydantic's defaults
        found = self._tables["chunks"].search(query, query_type="fts").limit(limit)
        if (kept := self._resident()) is None:
            return _fetch(found, [*columns, "_score"], within)
        scored = _fetch(found.with_row_id(True), ["_score"], within)
        return kept.take(scored["_rowid"], columns).append_column("_score", scored["_score"])

    def holding(self, pieces: Sequence[str], within: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """Chunks that hold any of these pieces letter by letter, in any case; reads every chunk, in no order."""
        from lancedb import col

        either = None
        for piece in pieces:
            holds = col("terms").lower().contains(piece.lower())
            either = holds if either is None else either | holds
        found = self._tables["chunks"].search().limit(limit)
        return _fetch(found, columns, within, either)

    def nearest(self, vector: NDArray[np.float32], within: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """The nearest chunks, nearest first, with `_distance` (1 - cosine); chunks without a vector are passed over."""
        if within == Filter() and (kept := self._resident()):
            return kept.nearest(vector, limit, columns)
        found: Any = self._tables["chunks"].search(vector, vector_column_name="vector").limit(limit)
        return _fetch(found.distance_type("dot"), [*columns, "_distance"], within)

    def _resident(self) -> Resident | None:
        columns = [column.name for column in CHUNKS if column.name != "terms" and column.type != "vector"]
        if self.generation.dimension:
            columns.append("vector")
        return resident(
            self._key,
            self._chunk_count,
            lambda: _fetch(self._tables["chunks"].search().with_row_id(True), columns),
        )


@contextlib.contextmanager
def open_reader(index: Path, as_of: int | None = None) -> Iterator[Reader]:
    """The published generation, or an earlier one that is kept; it is not reclaimed before the block ends.

    Raises NoIndex, ForeignIndex, IndexMismatch for an index that a newer muniment wrote, or UsageError for a number
    that is not kept.
    """
    with held_generation(index, as_of) as generation:
        if generation.schema != SCHEMA_VERSION:
            raise IndexMismatch(
                f"index at '{index}' has schema {generation.schema}, this muniment reads {SCHEMA_VERSION}",
                "rebuild it with 'muniment index --force'",
            )
        yield Reader(index, generation)


def _fetch(query: Any, columns: Sequence[str], within: Filter | None = None, besides: Expr | None = None) -> pa.Table:
    expression = within.expression() if within else None
    if besides is not None:
        expression = besides if expression is None else expression & besides
    with translated():
        found: pa.Table = (query if expression is None else query.where(expression)).select(list(columns)).to_arrow()
        return found
