"""The clean-up of an index folder: what no kept generation, no reader and no next run needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from muniment.errors import NoIndex
from muniment.generation import read_current
from muniment.noop import SEEN
from schemas.files import Source
from schemas.generations import Generation
from tasks.drift.check import FACTS_FILE
from tasks.drift.facts import forget_sources
from tasks.enumerate.seen import forgotten

SEEN_OF_GONE = "what was seen of sources that are gone"


@dataclass(frozen=True, slots=True)
class Collected:
    """What a clean-up removed, or would remove."""

    dry: bool
    sizes: dict[str, int] = field(default_factory=dict)
    """What it was -> bytes."""
    counts: dict[str, int] = field(default_factory=dict)
    """What it was -> files, and folders with all that is in them."""

    @property
    def size(self) -> int:
        """Bytes of all of it."""
        return sum(self.sizes.values())


def gc(index: Path, keep: int, *, dry: bool = False) -> Collected:
    """Removes what nothing needs beside the newest `keep` generations and those that somebody reads.

    Raises NoIndex, ForeignIndex for a torn pointer, Busy while a run writes.
    """
    from muniment.store.sweep import collect
    from muniment.store.writer import write_lock

    if not index.exists():
        raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    with write_lock(index):
        published = read_current(index)
        if published is None:
            raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
        for one in collect(index, keep, dry=dry):
            sizes[one.what] += one.size
            counts[one.what] += 1
        for path in _unseen(index, published):
            sizes[SEEN_OF_GONE] += path.stat().st_size
            counts[SEEN_OF_GONE] += 1
            if not dry:
                path.unlink()
        if (
            not dry
            and (facts := index / SEEN / FACTS_FILE).exists()
            and (given := forget_sources(facts, published.sources))
        ):
            sizes[SEEN_OF_GONE] += given
    return Collected(dry, dict(sizes), dict(counts))


def _unseen(index: Path, published: Generation) -> list[Path]:
    sources = [Source(one.name, one.path, one.kind, one.worktree) for one in published.sources.values()]
    return forgotten(index / SEEN, sources)
