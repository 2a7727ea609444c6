"""Reading one published generation: rows, full-text matches, nearest vectors."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import IndexMismatch
from muniment.generation import held_generation
from muniment.store.resident import Key, Resident, resident
from muniment.store.tables import FolderTables, Tables
from schemas.columns import CHUNKS, TABLES
from schemas.generations import Generation, admitting
from schemas.stated import SHOWN
from schemas.versions import SCHEMA_VERSION

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.expr import Expr
    from numpy.typing import NDArray

SAMPLE = 20
PROBES = 40
"""Parts of the vector index that are looked through: of a million rows' ten nearest 99.6 % are found, with 20 98.5."""


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
    namespaces: tuple[str, ...] = ()
    """In any case; documents alone have one, so of chunks `checked_filter` makes `doc_ids` of it."""

    def expression(self) -> Expr | None:
        """The filter as LanceDB takes it; values are literals and never part of the syntax."""
        from lancedb import col, lit

        exact = (("kind", self.kinds), ("source", self.sources))
        parts = [col(name).isin(list(values)) for name, values in exact if values]
        for name, values in (("type", self.types), ("section", self.sections), ("namespace", self.namespaces)):
            if values:
                parts.append(col(name).lower().isin([value.lower() for value in values]))
        if self.doc_ids is not None:
            parts.append(col("doc_id").isin(list(self.doc_ids)) if self.doc_ids else lit(1) == lit(0))
        whole = None
        for part in parts:
            whole = part if whole is None else whole & part
        return whole


class Reader:
    """One generation's tables, open at the versions it names.

    Documents and chunks that are confidential or restricted are in none of its answers, nor in the counts of its
    generation, unless it admits them.
    """

    def __init__(self, tables: Tables, generation: Generation, *, admit_sensitive: bool = False) -> None:
        self.published = generation
        """As it stands in its file."""
        self.generation = admitting(generation) if admit_sensitive else generation
        # No document of a repository is of any sensitivity, and the filter reads a column of every chunk.
        self._withholds = not admit_sensitive and any(one.kind != "git" for one in generation.sources.values())
        self._tables = tables
        self._key = Key(tables.place, generation.run, *generation.tables["chunks"], self._withholds)
        self._chunk_count = sum(state.chunks for state in self.generation.sources.values())

    def rows(self, table: str, columns: Sequence[str], within: Filter | None = None) -> pa.Table:
        """These columns of every row of `documents` or `skipped` that the filter admits."""
        return self._fetch(table, self._tables.table(table).search(), columns, within)

    def chunks(self, columns: Sequence[str], within: Filter | None = None) -> pa.Table:
        """These columns of every chunk that the filter admits."""
        return self._fetch("chunks", self._tables.table("chunks").search(), columns, within)

    def chunks_by_id(self, chunk_ids: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """These columns of the chunks with these ids, in no order; ids that are not there are left out."""
        from lancedb import col

        return self._fetch(
            "chunks", self._tables.table("chunks").search(), columns, None, col("chunk_id").isin(list(chunk_ids))
        )

    def disagreeing(self, columns: Sequence[str]) -> pa.Table:
        """These columns of every claim whose verdict is that it disagrees, by document and line."""
        from lancedb import col, lit

        found = self._fetch(
            "claims", self._tables.table("claims").search(), columns, besides=col("verdict") == lit("disagrees")
        )
        return found.sort_by([("path", "ascending"), ("line", "ascending")])

    def holds(self, table: str, column: str, value: str) -> bool:
        """Whether any row of a table has this value in a column of text, in any case."""
        from lancedb import col

        found = self._tables.table(table).search().limit(1)
        return self._fetch(table, found, [column], besides=col(column).lower() == value.lower()).num_rows > 0

    def match(self, words: str, within: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """The best full-text matches, best first, with `_score` (BM25, higher is better)."""
        from lancedb.query import MatchQuery

        # Not a plain string: quotes in one make a phrase query, which this index has no positions for.
        query = MatchQuery(words, "terms")  # type: ignore[call-arg]  # the checker does not see pydantic's defaults
        found = self._tables.table("chunks").search(query, query_type="fts").limit(limit)
        if (kept := self._resident()) is None:
            return self._fetch("chunks", found, [*columns, "_score"], within)
        scored = self._fetch("chunks", found.with_row_id(True), ["_score"], within)
        return kept.take(scored["_rowid"], columns).append_column("_score", scored["_score"])

    def holding(self, pieces: Sequence[str], within: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """Chunks that hold any of these pieces letter by letter, in any case; reads every chunk, in no order."""
        from lancedb import col

        either = None
        for piece in pieces:
            holds = col("terms").lower().contains(piece.lower())
            either = holds if either is None else either | holds
        found = self._tables.table("chunks").search().limit(limit)
        return self._fetch("chunks", found, columns, within, either)

    def nearest(self, vector: NDArray[np.float32], within: Filter, limit: int, columns: Sequence[str]) -> pa.Table:
        """The nearest chunks, nearest first, with `_distance` (1 - cosine); chunks without a vector are passed over."""
        if within == Filter() and (kept := self._resident()):
            return kept.nearest(vector, limit, columns)
        found: Any = self._tables.table("chunks").search(vector, vector_column_name="vector").limit(limit)
        found = found.distance_type("dot").nprobes(PROBES)
        if within != Filter() or self._withholds:
            # As many more as it takes, where those may hold too few that are admitted; it costs twice the time.
            found = found.maximum_nprobes(0)
        return self._fetch("chunks", found, [*columns, "_distance"], within)

    def embedded(self) -> pa.Table:
        """Columns context, text and vector of some chunks that have one."""
        import numpy as np

        anywhere = np.eye(1, self.generation.dimension, dtype=np.float32)[0]
        return self.nearest(anywhere, Filter(), SAMPLE, ["context", "text", "vector"])

    def _fetch(
        self,
        table: str,
        query: Any,
        columns: Sequence[str],
        within: Filter | None = None,
        besides: Expr | None = None,
    ) -> pa.Table:
        """What every read of a table comes from: here, and nowhere else, sensitive documents are withheld."""
        parts = [within.expression() if within else None, besides, self._unwithheld(table)]
        expression = None
        for part in parts:
            if part is not None:
                expression = part if expression is None else expression & part
        with self._tables.readable(f"table {self.published.tables[table].name}"):
            asked = query if expression is None else query.where(expression)
            found: pa.Table = asked.select(list(columns)).to_arrow()
            return found

    def _unwithheld(self, table: str) -> Expr | None:
        from lancedb import col

        if not self._withholds or all(column.name != "sensitivity" for column in TABLES[table]):
            return None
        # By what is shown, not by what is not: a word that nobody foresaw is withheld.
        return col("sensitivity").isin(list(SHOWN))

    def _resident(self) -> Resident | None:
        columns = [column.name for column in CHUNKS if column.name != "terms" and column.type != "vector"]
        if self.generation.dimension:
            columns.append("vector")
        return resident(
            self._key,
            self._chunk_count,
            lambda: self._fetch("chunks", self._tables.table("chunks").search().with_row_id(True), columns),
        )


@contextlib.contextmanager
def open_reader(index: Path, as_of: int | None = None, *, admit_sensitive: bool = False) -> Iterator[Reader]:
    """The published generation, or an earlier one that is kept; it is not reclaimed before the block ends.

    `admit_sensitive` is the operator's to say (archive.admit_sensitive): without it, sensitive documents are not there.
    Raises NoIndex, ForeignIndex, IndexMismatch for an index that a newer muniment wrote, or UsageError for a number
    that is not kept.
    """
    with held_generation(index, as_of) as generation:
        if generation.schema != SCHEMA_VERSION:
            raise IndexMismatch(
                f"index at '{index}' has schema {generation.schema}, this muniment reads {SCHEMA_VERSION}",
                "rebuild it with 'muniment index --force'",
            )
        yield Reader(FolderTables(index, generation), generation, admit_sensitive=admit_sensitive)
