"""Writing the next generation: nothing a reader sees changes before it is published."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import ForeignIndex, MunimentError
from muniment.generation import HISTORY, LOCK, POINTER, busy, kept_generations, publish, read_current, reclaim
from muniment.store.cache import PREFIX, VectorCache
from muniment.store.faults import translated
from muniment.store.place import refuse_place, sweep_probes
from muniment.store.sums import TABLES_FOLDER, Sum, is_whole, read_sums, sum_files, write_sums
from muniment.store.tables import (
    CARRIED,
    PUBLISHED_TABLES,
    connect,
    create,
    create_like,
    open_at,
    roll_back,
    tidy,
)
from schemas.columns import CHUNKS, EMBEDDINGS, TABLES, arrow_schema
from schemas.generations import Generation, SourceState, TableVersion

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.table import Table
    from numpy.typing import NDArray

_OURS = {POINTER, HISTORY, TABLES_FOLDER, LOCK, "seen"}
# Exact search is as fast below this, and IVF_FLAT keeps recall at 1.0 above it (measured at 100k and 1M rows).
IVF_FROM_ROWS = 20_000
SAMPLE = 20


class Writer:
    """The unpublished next generation. Nothing a reader sees changes before `publish`."""

    def __init__(self, index: Path) -> None:
        self.index = index
        self.published = read_current(index)
        self.number = self.published.number + 1 if self.published else 1

    @property
    def sources(self) -> dict[str, SourceState]:
        """The published sources by name."""
        return self.published.sources if self.published else {}

    def begin(
        self,
        embedder: str,
        dimension: int,
        *,
        beside: bool,
        instead: Mapping[str, TableVersion | None] | None = None,
    ) -> None:
        """Opens the tables: the published ones at their published versions, or new, empty ones beside them.

        `instead` names damaged tables, each with the version to go on from, or with None: a new one takes its place.
        `embedder` is the fingerprint that cached vectors are kept under; without a dimension there are no vectors.
        """
        db = self._db = connect(self.index)
        self._embedder, self.dimension = embedder, dimension
        if self.published and not beside:
            wanted = {**self.published.tables, **(instead or {})}
            self._tables = {name: self._open(name, wanted[name]) for name in PUBLISHED_TABLES}
        else:
            self._tables = {name: self._create(name) for name in PUBLISHED_TABLES}
        self._chunks = self._tables["chunks"]
        self._cache = VectorCache(db, embedder, dimension) if dimension else None

    def _open(self, name: str, version: TableVersion | None) -> Table:
        return roll_back(self._db, version) if version else self._create(name)

    def _create(self, name: str) -> Table:
        """A new table; what can't be computed again is carried over from the published one."""
        beside = f"{name}_{self.number:08d}"
        if name in CARRIED:
            return create_like(self._db, beside, TABLES[name], self._undamaged(name))
        return create(self._db, beside, TABLES[name], self.dimension)

    def _undamaged(self, name: str) -> TableVersion | None:
        """A table of the published generation, or where a file of it is damaged, of the newest one where none is."""
        published = [self.published] if self.published else []
        for generation in (*published, *kept_generations(self.index)):
            if name in generation.tables and is_whole(self.index, generation, name):
                return generation.tables[name]
        return None

    def rows(self, table: str, columns: Sequence[str]) -> pa.Table:
        """These columns of every row of a table, as of this writer."""
        return self._tables[table].search().select(list(columns)).to_arrow()

    def upsert(self, documents: pa.Table, chunks: pa.Table, skipped: pa.Table, replaced: Sequence[str]) -> None:
        """Puts rows in place of all that stood under the `replaced` document ids, in one commit a table.

        Raises ValueError on two rows with one key: the merge would insert both.
        """
        from lancedb import col

        stale = col("doc_id").isin(list(replaced)).to_sql() if replaced else ""
        for name, rows in (("documents", documents), ("chunks", chunks), ("skipped", skipped)):
            table, key = self._tables[name], "chunk_id" if name == "chunks" else "doc_id"
            keys = rows[key]
            if len(keys.unique()) != len(keys):
                raise ValueError(f"two rows with one {key}")
            if not rows.num_rows and not (stale and table.count_rows(stale)):
                continue  # even a merge that changes nothing makes a version
            merge = table.merge_insert(key).when_matched_update_all().when_not_matched_insert_all()
            if stale:
                merge = merge.when_not_matched_by_source_delete(stale)
            # "null" lets pending vectors through; ours were checked before they came here.
            merge.execute(rows, on_bad_vectors="null")

    def drop(self, table: str, doc_ids: Collection[str]) -> None:
        """Removes the rows of the documents with these ids from one table."""
        from lancedb import col

        theirs = col("doc_id").isin(sorted(doc_ids)).to_sql() if doc_ids else ""
        if theirs and self._tables[table].count_rows(theirs):  # even a deletion of nothing makes a version
            self._tables[table].delete(theirs)

    def replace(self, table: str, rows: pa.Table, source: str = "") -> None:
        """Puts rows in place of all rows of `claims` or `effectiveness`; of one source's, where one is named."""
        from lancedb import col, lit

        key = next(column.name for column in TABLES[table] if column.key)
        stale = (col("source") == lit(source)).to_sql() if source else None
        if not rows.num_rows and not self._tables[table].count_rows(stale):
            return  # even a merge that changes nothing makes a version
        merge = self._tables[table].merge_insert(key).when_matched_update_all().when_not_matched_insert_all()
        merge.when_not_matched_by_source_delete(stale).execute(rows)

    def pending(self, columns: Sequence[str]) -> pa.Table:
        """These columns of the chunks that have no vector yet; none where the index has no vectors at all."""
        if not self.dimension:
            return arrow_schema(CHUNKS).empty_table().select(list(columns))
        return self._chunks.search().where("vector IS NULL").select(list(columns)).to_arrow()

    def pending_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The same, some thousand rows at a time."""
        if self.dimension:
            yield from self._chunks.search().where("vector IS NULL").select(list(columns)).to_batches()

    def chunks_of(self, chunk_ids: pa.ChunkedArray[pa.StringScalar], columns: Sequence[str]) -> pa.Table:
        """These columns of the chunks with these ids, in any order."""
        from lancedb import col

        ids: list[Any] = chunk_ids.to_pylist()
        return self._chunks.search().where(col("chunk_id").isin(ids)).select(list(columns)).to_arrow()

    def fill(self, rows: pa.Table) -> None:
        """Replaces whole chunk rows, now with their vectors."""
        if rows.num_rows:
            self._chunks.merge_insert("chunk_id").when_matched_update_all().execute(rows)

    def cached(self, hashes: pa.Array[pa.StringScalar]) -> pa.Table:
        """Columns embed_hash and vector of those texts whose vector is known; reads the cache once, in pieces."""
        return self._cache.find(hashes) if self._cache else arrow_schema(EMBEDDINGS).empty_table()

    def embedded(self, *, published: bool = False) -> pa.Table:
        """Columns context, text and vector of some chunks that have one: of this writer's, or of the published ones.

        None of the published ones where those are of another fingerprint.
        """
        wanted, chunks = ["context", "text", "vector"], self._chunks if self.dimension else None
        if published:
            same = self.published if self.published and self.published.fingerprint == self._embedder else None
            same = same if same and is_whole(self.index, same, "chunks") else None
            chunks = open_at(self._db, same.tables["chunks"]) if same and self.dimension else None
        if chunks is None or not {*wanted} <= {*chunks.schema.names}:  # of a schema long ago
            return arrow_schema(CHUNKS, self.dimension).empty_table().select(wanted)
        return chunks.search().where("vector IS NOT NULL").limit(SAMPLE).select(wanted).to_arrow()

    def forget(self) -> None:
        """Empties the cache of vectors: the model that they are of is no longer there."""
        if self._cache:
            self._cache.forget()

    def remember(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keeps vectors by the hash of their text, whatever becomes of this run."""
        if self._cache:
            self._cache.remember(hashes, vectors)

    def seal(self, keep: int) -> dict[str, TableVersion]:
        """Brings every search index up to date and returns the versions to publish.

        Drops versions that neither the newest `keep` generations nor a reader need.
        """
        if self._chunks.count_rows():
            self._make_indexes()
        needed = reclaim(self.index, keep)
        for name, table in self._tables.items():
            if self.published and self.published.tables.get(name) == TableVersion(table.name, table.version):
                continue  # untouched since it was last tidied
            held = _held(name, table.name, needed)
            tidy(table, held)
            for found in table.list_indices():
                if found.num_unindexed_rows:
                    raise MunimentError(f"{found.num_unindexed_rows} rows are missing from the index {found.name}")
        return {name: TableVersion(table.name, table.version) for name, table in self._tables.items()}

    def publish(self, generation: Generation) -> None:
        """Makes the sealed tables the ones that readers see, with a checksum of each of their files."""
        sums = sum_files(self.index, generation.tables, self._known_sums())
        generation = generation._replace(files=write_sums(self.index, generation.number, sums))
        publish(self.index, generation)
        self.published = generation
        self.number = generation.number + 1

    def _known_sums(self) -> dict[str, Sum]:
        """What is known of the files of the published generation; a list that is lost is made anew."""
        try:
            return read_sums(self.index, self.published) if self.published else {}
        except ForeignIndex:
            return {}

    def count(self) -> tuple[int, int]:
        """Documents and chunks, as of this writer."""
        return self._tables["documents"].count_rows(), self._chunks.count_rows()

    def reclaim(self, keep: int) -> None:
        """Drops whole tables that no kept generation and no reader needs, and tidies the vector cache."""
        needed = {table.name for generation in reclaim(self.index, keep) for table in generation.tables.values()}
        for name in self._db.list_tables(limit=10_000).tables:
            if name not in needed and not name.startswith(PREFIX):
                self._db.drop_table(name)
        if self._cache:
            self._cache.tidy(self._chunks.count_rows(), self._used)

    def _used(self) -> pa.Array[pa.StringScalar]:
        return self._chunks.search().select(["embed_hash"]).to_arrow()["embed_hash"].combine_chunks().unique()

    def drop_search_indexes(self) -> None:
        """Forgets the search indexes of chunks; `seal` makes them anew."""
        for found in self._chunks.list_indices():
            self._chunks.drop_index(found.name)

    def _make_indexes(self) -> None:
        from lancedb.index import FTS, IvfFlat

        have = {column for found in self._chunks.list_indices() for column in found.columns}
        if "terms" not in have:
            self._chunks.create_index("terms", config=FTS(with_position=False))
        if "vector" not in have and self.dimension and self._chunks.count_rows("vector IS NOT NULL") >= IVF_FROM_ROWS:
            self._chunks.create_index("vector", config=IvfFlat(distance_type="dot"))


def _held(name: str, table: str, needed: Sequence[Generation]) -> dict[str, int]:
    """Tag -> version of a table that a generation needs; one of an older schema may have no such table."""
    versions = {f"g{old.number}": old.tables[name] for old in needed if name in old.tables}
    return {tag: version.version for tag, version in versions.items() if version.name == table}


@contextlib.contextmanager
def open_writer(index: Path) -> Iterator[Writer]:
    """The next generation of the index, with the writer lock held until the block ends.

    Raises Busy when another process writes, ForeignIndex, ReadOnly or DiskFull; whatever happens, the published
    generation stays as it was.
    """
    with translated(), write_lock(index):
        yield Writer(index)


def refuse_strangers(index: Path) -> None:
    """Raises ForeignIndex where somebody else's files lie in an index folder."""
    if strangers := sorted({entry.name for entry in index.iterdir() if not entry.name.startswith(".")} - _OURS):
        raise ForeignIndex(
            f"'{index}' holds '{strangers[0]}', which is not muniment's", "choose another folder with --home"
        )


@contextlib.contextmanager
def write_lock(index: Path) -> Iterator[None]:
    """The kernel's lock on the index folder, which is made if need be.

    Raises Busy at once when it is taken, Refused where the file system has no locks or can't commit.
    """
    from filelock import FileLock, Timeout

    refuse_place(index)
    index.mkdir(parents=True, exist_ok=True)
    refuse_strangers(index)
    # Never the soft lock that the library would fall back to: a killed run would leave it behind.
    lock = FileLock(index / LOCK, fallback_to_soft=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise busy(index) from None
    try:
        sweep_probes(index)
        yield
    finally:
        lock.release()
