"""The generations of an index, wherever it lies: in a folder of this machine (here), or in a bucket (`in_place.py`)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from muniment.errors import NoIndex
from muniment.generation import kept_generations, read_current
from muniment.store.reader import Reader, open_reader
from schemas.generations import Generation


class Generations(Protocol):
    """What can be read of an index; for any number of threads."""

    place: str
    """Where it lies: a folder, or the address of a bucket."""
    holds: bool
    """Whether what a reader has open is not removed before it is let go."""

    def current(self) -> Generation:
        """The published one. Raises NoIndex where nothing was ever published, ForeignIndex, ProviderError."""
        ...

    def kept(self) -> list[Generation]:
        """Those that can still be read, newest first."""
        ...

    def open(self, as_of: int | None = None, *, admit_sensitive: bool = False) -> AbstractContextManager[Reader]:
        """The published one, no older than `current` said last, or the earlier one of this number.

        Raises what `open_reader` raises, and ProviderError. Where nothing is held, what reads may raise Reclaimed: what
        was read is gone by then, and a newer one is there.
        """
        ...


class FolderGenerations:
    """Those in an index folder."""

    holds = True

    def __init__(self, index: Path) -> None:
        self._index = index
        self.place = str(index)

    def current(self) -> Generation:
        """As its pointer names it."""
        if (found := read_current(self._index)) is None:
            raise NoIndex(f"no index at '{self._index}'", "build one with 'muniment index PATH'")
        return found

    def kept(self) -> list[Generation]:
        """Those whose own file is there."""
        return kept_generations(self._index)

    def open(self, as_of: int | None = None, *, admit_sensitive: bool = False) -> AbstractContextManager[Reader]:
        """Held by the kernel's lock."""
        return open_reader(self._index, as_of, admit_sensitive=admit_sensitive)
