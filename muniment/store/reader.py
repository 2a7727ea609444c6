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
from muniment.store.tables import PUBLISHED_TABLES, connect, open_at
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
    sections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] | None = None
    """Only chunks of these documents; None means all, an empty tuple none."""

    def expression(self) -> Expr | None:
        """The filter as LanceDB takes it; values are literals and never part of the syntax."""
        from lancedb import col, lit

        parts = [
            col(name).isin(list(values)) for name, values in (("kind", self.kinds), ("source", self.sources)) if values
        ]
        if self.sections:
            parts.append(col("section").lower().isin([section.lower() for section in self.sections]))
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

    def rows(self, table: str, columns: Sequence[str]) -> pa.Table:
        """These columns of every row of `documents` or `skipped`."""
        with translated():
            return self._tables[table].search().select(list(columns)).to_arrow()

    def chunks(self, columns: Sequence[str], limit_to: Filter | None = None) -> pa.Table:
        """These columns of every chunk that the filter admits."""
        with translated():
            return _where(self._tables["chunks"].search(), limit_to).select(list(columns)).to_arrow()

    def match(self, words: str, limit_to: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """The best full-text matches, best first, with `_score` (BM25, higher is better)."""
        from lancedb.query import MatchQuery

        # Not a plain string: quotes in one make a phrase query, which this index has no positions for.
        with translated():
            query = self._tables["chunks"].search(MatchQuery(words, "terms"), query_type="fts")
            return _where(query, limit_to).select([*columns, "_score"]).limit(limit).to_arrow()

    def nearest(self, vector: NDArray[np.float32], limit_to: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """The nearest chunks, nearest first, with `_distance` (1 - cosine); chunks without a vector are passed over."""
        with translated():
            query = self._tables["chunks"].search(vector, vector_column_name="vector").distance_type("dot")
            return _where(query, limit_to).select([*columns, "_distance"]).limit(limit).to_arrow()


@contextlib.contextmanager
def open_reader(index: Path) -> Iterator[Reader]:
    """The published generation, open for reading; it is not reclaimed before the block ends.

    Raises NoIndex, ForeignIndex, or IndexMismatch for an index that a newer muniment wrote.
    """
    with held_generation(index) as generation:
        if generation.schema != SCHEMA_VERSION:
            raise IndexMismatch(
                f"index at '{index}' has schema {generation.schema}, this muniment reads {SCHEMA_VERSION}",
                "rebuild it with 'muniment index --force'",
            )
        yield Reader(index, generation)


def _where(query: Any, limit_to: Filter | None) -> Any:
    expression = limit_to.expression() if limit_to else None
    return query if expression is None else query.where(expression)
