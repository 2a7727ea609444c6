"""Readers that a process keeps open between questions: one a generation, let go when a newer one is published.

Those of a bucket may lose what they read; then whoever asks begins again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from time import monotonic
from typing import ParamSpec, TypeVar

from muniment.errors import NoIndex, Reclaimed
from muniment.store.generations import Generations
from muniment.store.reader import Reader
from schemas.generations import Generation

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 3
"""Of a question whose generation is removed under it, each time after newer ones were published."""
MAX_LEASED = 4
"""Earlier generations that are held for somebody who may come back: each one's files stay on the disk."""


def reopening(read: Callable[P, T]) -> Callable[P, T]:
    """The call, made again where the generation that it read was removed from a bucket meanwhile.

    For whole calls, which begin with opening a reader: a question is answered from one generation.
    """

    @wraps(read)
    def again(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES - 1):
            with contextlib.suppress(Reclaimed):
                return read(*args, **kwargs)
        return read(*args, **kwargs)

    return again


@dataclass(slots=True, eq=False)
class _Kept:
    """An open reader with what holds its generation."""

    reader: Reader
    closing: contextlib.ExitStack
    users: int = 0
    until: float = 0.0
    """Held till then, whatever is published; by the monotonic clock."""


class KeptReaders:
    """Opening a generation takes two milliseconds, and a server is asked about the same one again and again."""

    def __init__(self, generations: Generations, *, admit_sensitive: bool = False) -> None:
        self._generations = generations
        self._admit = admit_sensitive
        self._lock = Lock()
        self._kept: list[_Kept] = []
        self._newest: Generation | None = None
        """As it was last seen."""

    @contextlib.contextmanager
    def open(self, as_of: int | None = None) -> Iterator[Reader]:
        """The published generation, or the one of that number; as `open_reader`, whose errors it raises."""
        kept = self._enter(as_of)
        try:
            yield kept.reader
        except Reclaimed:
            self._forget(kept)  # whoever asks again opens what is there now
            raise
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
        if self._generations.holds:
            # Where nothing is held a writer waits for nobody, and nobody is asked what the newest is.
            newest = None
            with contextlib.suppress(NoIndex):
                newest = self._generations.current()
            self._newest = newest
        with self._lock:
            self._let_go()

    def close(self) -> None:
        """Closes all of them; none may be in use."""
        with self._lock:
            for kept in self._kept:
                kept.closing.close()
            self._kept.clear()

    def _enter(self, as_of: int | None) -> _Kept:
        # The bucket is asked outside the lock: one that hangs holds up nobody whose generation is open.
        current = self._generations.current() if as_of is None else None
        with self._lock:
            self._newest = current or self._newest
            if kept := next((one for one in self._kept if _is_wanted(one.reader.published, as_of, current)), None):
                return self._use(kept)
        closing = contextlib.ExitStack()
        reader = closing.enter_context(self._generations.open(as_of, admit_sensitive=self._admit))
        with self._lock:
            if as_of is None:
                self._newest = reader.published
            same = next((one for one in self._kept if one.reader.published == reader.published), None)
            if same:  # somebody else opened it meanwhile
                closing.close()
                return self._use(same)
            self._kept.append(_Kept(reader, closing))
            return self._use(self._kept[-1])

    def _use(self, kept: _Kept) -> _Kept:
        kept.users += 1
        self._let_go()
        return kept

    def _forget(self, kept: _Kept) -> None:
        with self._lock:
            if kept in self._kept:
                self._kept.remove(kept)
                kept.closing.close()

    def _let_go(self) -> None:
        now = monotonic()
        idle = [one for one in self._kept if not one.users and one.until < now and one.reader.published != self._newest]
        for kept in idle:
            self._kept.remove(kept)
            kept.closing.close()


def _is_wanted(generation: Generation, as_of: int | None, current: Generation | None) -> bool:
    # Compared whole: an index that was removed and made again counts from 1.
    return generation == current if as_of is None else generation.number == as_of
