"""Readers that a process keeps open between questions: one a generation, let go when a newer one is published."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic

from muniment.generation import read_current
from muniment.store.reader import Reader, open_reader
from schemas.generations import Generation

MAX_LEASED = 4
"""Earlier generations that are held for somebody who may come back: each one's files stay on the disk."""


@dataclass(slots=True, eq=False)
class _Kept:
    """An open reader with the kernel's lock on its generation."""

    reader: Reader
    closing: contextlib.ExitStack
    users: int = 0
    until: float = 0.0
    """Held till then, whatever is published; by the monotonic clock."""


class KeptReaders:
    """Opening a generation takes two milliseconds, and a server is asked about the same one again and again."""

    def __init__(self, index: Path, *, admit_sensitive: bool = False) -> None:
        self._index = index
        self._admit = admit_sensitive
        self._lock = Lock()
        self._kept: list[_Kept] = []

    @contextlib.contextmanager
    def open(self, as_of: int | None = None) -> Iterator[Reader]:
        """The published generation, or the one of that number; as `open_reader`, whose errors it raises."""
        kept = self._enter(as_of)
        try:
            yield kept.reader
        finally:
            with self._lock:
                kept.users -= 1

    def lease(self, number: int, seconds: float) -> None:
        """Holds an open generation for so long, so that somebody can go on reading what a first page came from."""
        with self._lock:
            leased = [kept for kept in self._kept if kept.until > monotonic()]
            for kept in self._kept:
                if kept.reader.generation.number == number and (kept in leased or len(leased) < MAX_LEASED):
                    kept.until = monotonic() + seconds

    def let_go(self) -> None:
        """Closes every generation but the published one that nobody reads, so that a writer can reclaim it."""
        current = read_current(self._index)
        with self._lock:
            self._let_go(current)

    def close(self) -> None:
        """Closes all of them; none may be in use."""
        with self._lock:
            for kept in self._kept:
                kept.closing.close()
            self._kept.clear()

    def _enter(self, as_of: int | None) -> _Kept:
        with self._lock:
            current = read_current(self._index)
            kept = next((one for one in self._kept if _is_wanted(one.reader.published, as_of, current)), None)
            if kept is None:
                closing = contextlib.ExitStack()
                kept = _Kept(
                    closing.enter_context(open_reader(self._index, as_of, admit_sensitive=self._admit)), closing
                )
                self._kept.append(kept)
            kept.users += 1
            self._let_go(current)
            return kept

    def _let_go(self, current: Generation | None) -> None:
        now = monotonic()
        idle = [one for one in self._kept if not one.users and one.until < now and one.reader.published != current]
        for kept in idle:
            self._kept.remove(kept)
            kept.closing.close()


def _is_wanted(generation: Generation, as_of: int | None, current: Generation | None) -> bool:
    # Compared whole: an index that was removed and made again counts from 1.
    return generation == current if as_of is None else generation.number == as_of
