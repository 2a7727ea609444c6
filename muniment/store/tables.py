"""LanceDB tables by name and version: made, opened, rolled back, tidied."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from muniment.store.faults import readable, translated
from muniment.store.lean import spare_unused
from muniment.store.sums import TABLES_FOLDER
from schemas.columns import Column, arrow_schema
from schemas.generations import Generation, TableVersion

if TYPE_CHECKING:
    from lancedb import Session
    from lancedb.db import DBConnection
    from lancedb.table import Table

PUBLISHED_TABLES = ("documents", "chunks", "skipped", "claims", "effectiveness")
CARRIED = ("claims", "effectiveness")
"""What tables built anew begin with the rows of: when a claim was first seen can't be computed again."""
# `optimize` drops versions older than seven days unless told otherwise; published ones may be older than that.
_KEEP_ALL = timedelta(days=36_500)
_MARGIN = timedelta(milliseconds=100)
INDEX_CACHE = 2 << 30
"""Bytes of search indexes that a process keeps at most: those of 1.3 million vectors (docs/scale.md)."""
METADATA_CACHE = 256 << 20


class Tables(Protocol):
    """The tables of one generation, at the versions that it names, wherever they lie."""

    @property
    def place(self) -> str:
        """Where they lie: no other tables of that name and version lie there."""
        ...

    def table(self, name: str) -> Table:
        """The one of PUBLISHED_TABLES with this name. Raises what `readable` raises."""
        ...

    def readable(self, what: str) -> AbstractContextManager[None]:
        """For a block that reads them: what goes wrong is raised in our own words, which name `what`."""
        ...


class FolderTables:
    """Those in an index folder, all of them open."""

    def __init__(self, index: Path, generation: Generation) -> None:
        db = connect(index)  # one, since each keeps indexes in memory of its own
        self.place = str(index.absolute())
        self._tables = {name: open_at(db, generation.tables[name]) for name in PUBLISHED_TABLES}

    def table(self, name: str) -> Table:
        """The open one."""
        return self._tables[name]

    def readable(self, what: str) -> AbstractContextManager[None]:
        """Raises ForeignIndex for bytes that are not what was written."""
        return readable(what)


def connect(index: Path) -> DBConnection:
    """The database in an index folder; its own folder is made if need be."""
    return connect_to(str((index / TABLES_FOLDER).absolute()), new_session())


def connect_to(address: str, session: Session, options: Mapping[str, str] | None = None) -> DBConnection:
    """The database at a path or in a bucket, with what its client takes; the session is what it keeps in memory."""
    import lancedb

    return lancedb.connect(address, session=session, storage_options=dict(options) if options else None)


def new_session() -> Session:
    """Room in memory for what is read again and again; connections may share it."""
    os.environ.setdefault("LANCEDB_LOG", "error")  # read when the library loads
    spare_unused()
    import lancedb

    return lancedb.Session(index_cache_size_bytes=INDEX_CACHE, metadata_cache_size_bytes=METADATA_CACHE)


def create(db: DBConnection, name: str, columns: tuple[Column, ...], dimension: int = 0) -> Table:
    """A new, empty table."""
    # "overwrite": a run that was killed before it published may have left this name behind.
    schema = arrow_schema(columns, dimension)
    try:
        return db.create_table(name, schema=schema, mode="overwrite")
    except RuntimeError:
        db.drop_table(name)  # what was left is damaged
        return db.create_table(name, schema=schema)


def create_like(db: DBConnection, name: str, columns: tuple[Column, ...], old: TableVersion | None) -> Table:
    """A new table with the rows of an old one, where that has these columns; else an empty one."""
    table = create(db, name, columns)
    if old is not None:
        rows = open_at(db, old).to_arrow()
        if rows.num_rows and rows.schema.names == table.schema.names:
            table.add(rows)
    return table


def open_at(db: DBConnection, wanted: TableVersion, options: Mapping[str, str] | None = None) -> Table:
    """A table at one version: it can't be written, and it never changes; `options` win over the connection's."""
    with translated():
        table = db.open_table(wanted.name, storage_options=dict(options) if options else None)
        table.checkout(wanted.version)
        return table


def roll_back(db: DBConnection, wanted: TableVersion) -> Table:
    """A table as it was at that version, ready to be written: what a killed run left behind is undone."""
    table = db.open_table(wanted.name)
    if table.version != wanted.version:
        table.checkout(wanted.version)
        table.restore()
    return table


def tidy(table: Table, held: dict[str, int]) -> None:
    """Compacts, brings the indexes up to date, and drops the versions older than all of those held (tag -> version).

    LanceDB drops by age, measured on its own clock; the tags make it refuse, rather than drop a version that is held,
    should the time between our subtraction and its own be longer than the margin. Raises ForeignIndex where a version
    can't be read, be it one that nobody needs: LanceDB reads all of them.
    """
    with readable(f"table {table.name}"):
        _tidy(table, held)


def _tidy(table: Table, held: dict[str, int]) -> None:
    tags = {name: entry["version"] for name, entry in table.tags.list().items()}
    for name in tags.keys() - held.keys():
        table.tags.delete(name)
    for name in held.keys() - tags.keys():
        table.tags.create(name, held[name])
    try:
        table.optimize(cleanup_older_than=_age(table, min(held.values(), default=0)), delete_unverified=True)
    except RuntimeError as error:
        if "tagged" not in str(error):
            raise
        table.optimize(cleanup_older_than=_KEEP_ALL)


def _age(table: Table, version: int) -> timedelta:
    """How long ago this version was made, and a margin; for ever where there is no such version."""
    for entry in table.list_versions():
        if entry["version"] == version:
            made: datetime = entry["timestamp"]
            return max(datetime.now(UTC) - made.astimezone(UTC), timedelta(0)) + _MARGIN
    return _KEEP_ALL
