"""An index read in its bucket: nothing of it comes to this machine's disk.

A look at the pointer is one request, and each question takes one. What LanceDB keeps in memory of the files is shared
by all generations, since no file ever changes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from muniment.errors import (
    ForeignIndex,
    MunimentError,
    ProviderUnavailable,
    Reclaimed,
    SettingsError,
    UsageError,
)
from muniment.store.bucket import ASKING, Bucket, BucketChoice, store_said
from muniment.store.faults import readable
from muniment.store.pushed import AGAIN, DATA, Published, earlier_published, need_published, refuse_schema
from muniment.store.reader import Reader
from muniment.store.sums import TABLES_FOLDER
from muniment.store.tables import connect_to, new_session, open_at
from schemas.generations import Generation

if TYPE_CHECKING:
    from lancedb import Session
    from lancedb.db import DBConnection
    from lancedb.table import Table

_CONNECT = {"timeout": "3s", "connect_timeout": f"{ASKING.connect_seconds}s", "client_max_retries": "0"}
"""What a connection begins with is a small list, which LanceDB asks for seven times by itself; a store that hangs is
found out here, in twenty seconds."""
_READ = {"timeout": "20s", "client_max_retries": f"{ASKING.retries}"}
"""What follows may be megabytes, many at a time, and is asked for once."""


class BucketGenerations:
    """Those that a bucket holds; `open` reads no table but that of chunks, the others are opened when they are read."""

    holds = False

    def __init__(self, choice: BucketChoice) -> None:
        _check_region(choice)
        self.place = choice.url
        self._choice = choice
        self._bucket = Bucket(choice, ASKING)
        self._seen: Published | None = None

    def current(self) -> Generation:
        """As the bucket's pointer names it now."""
        return self._look().generation

    def kept(self) -> list[Generation]:
        """Those whose list no run has collected, a request each."""
        found = self._look()
        return [one.generation for one in (found, *earlier_published(self._bucket, found))]

    @contextlib.contextmanager
    def open(self, as_of: int | None = None, *, admit_sensitive: bool = False) -> Iterator[Reader]:
        """Not held: readers of a bucket are known to nobody."""
        found = self._find(as_of)
        refuse_schema(self._bucket, found)
        tables = BucketTables(self._choice, self._bucket, found, self._session)
        try:
            tables.table("chunks")  # so that one who waits in vain waits once, not in each of two threads
        except Reclaimed:
            self._seen = None
            raise
        yield Reader(tables, found.generation, admit_sensitive=admit_sensitive)

    def _look(self) -> Published:
        self._seen = found = need_published(self._bucket, self._seen)
        return found

    def _find(self, as_of: int | None) -> Published:
        current = self._seen or self._look()
        if as_of in (None, current.generation.number):
            return current
        current = self._look()
        numbers = [current.generation.number]
        if as_of in numbers:
            return current
        for one in earlier_published(self._bucket, current):
            numbers.append(one.generation.number)
            if as_of in numbers:
                return one
        kept = ", ".join(map(str, numbers))
        raise UsageError(f"generation {as_of} is not kept", f"kept are: {kept}; index.keep_generations says how many")

    @cached_property
    def _session(self) -> Session:
        return new_session()


class BucketTables:
    """The tables of one generation where they lie, each opened when it is first read."""

    def __init__(self, choice: BucketChoice, bucket: Bucket, published: Published, session: Session) -> None:
        self.place = f"{choice.url}/{DATA}{published.lineage}"
        self._options = dict(choice.options)
        self._bucket = bucket
        self._published = published
        self._session = session
        self._db: DBConnection | None = None
        self._opened: dict[str, Table] = {}

    def table(self, name: str) -> Table:
        """Opened once; two threads may both do it, and have the same rows."""
        if (found := self._opened.get(name)) is None:
            wanted = self._published.generation.tables[name]
            with self.readable(f"table {wanted.name}"):
                self._db = db = self._db or self._connect()
                self._opened[name] = found = open_at(db, wanted, _READ | self._options)
        return found

    @contextlib.contextmanager
    def readable(self, what: str) -> Iterator[None]:
        """Raises Reclaimed where a newer generation has taken the place of this one, which is gone.

        ProviderError where the bucket does not answer, ForeignIndex where it has lost what it should have.
        """
        try:
            # A request that fails may be any of the engine's errors.
            with readable(what, ValueError):
                yield
        except ForeignIndex as error:
            raise self._meaning(error, what) from error

    def _connect(self) -> DBConnection:
        return connect_to(f"{self.place}/{TABLES_FOLDER}", self._session, _CONNECT | self._options)

    def _meaning(self, error: ForeignIndex, what: str) -> MunimentError:
        """What an engine's error comes from, by what the bucket says when it is asked itself."""
        url, number = self._bucket.url, self._published.generation.number
        now = need_published(self._bucket, self._published)
        lost = "ot found" in error.message or "lost" in error.message
        if lost and now.file != self._published.file:
            return Reclaimed(f"generation {number} was removed from '{url}' while it was read", "ask again")
        if lost or "damaged" in error.message:
            return ForeignIndex(f"generation {number} in '{url}' is not whole: {error.message}", AGAIN)
        said = store_said(str(error.__cause__)) or "no answer"
        return ProviderUnavailable(f"can't read {what} in '{url}': {said}", ASKING.hint)


def _check_region(choice: BucketChoice) -> None:
    """Raises SettingsError where LanceDB would look for the region of a bucket by a name that no certificate fits."""
    name = choice.url.removeprefix("s3://").partition("/")[0]
    if "." in name and not {"region", "aws_region"} & dict(choice.options).keys():
        raise SettingsError(
            f"bucket '{name}' has dots in its name, so its region can't be asked for",
            "name it: region in scale.storage_options",
        )
