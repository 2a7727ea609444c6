"""What tells without reading it that a file is as an earlier run left it."""

import os
from collections.abc import Mapping
from typing import NamedTuple

GRANULARITY_NS = 2_000_000_000
"""A file touched this shortly before the last run, or later, may have changed again within one tick of its clock.

The coarsest clock in use is FAT's, at two seconds.
"""


class Stat(NamedTuple):
    """What tells without reading it that a file is as it was."""

    size: int
    mtime_ns: int
    ctime_ns: int
    """Of the last change to name, owner or content; no program can set it back, as it can mtime."""
    inode: int
    content_id: str
    """Empty for a file that could not be read."""


class Seen(NamedTuple):
    """The files of a source as an earlier run left them."""

    at_ns: int
    """When that run started."""
    stats: Mapping[str, Stat]
    """By path."""

    def unchanged(self, path: str, found: os.stat_result) -> Stat | None:
        """What was seen of a file that is surely the same now; None where it has to be read to know."""
        seen = self.stats.get(path)
        if not seen or seen != stat_of(found, seen.content_id):
            return None
        return seen if max(seen.mtime_ns, seen.ctime_ns) + GRANULARITY_NS < self.at_ns else None


NOTHING_SEEN = Seen(0, {})


def stat_of(found: os.stat_result, content_id: str) -> Stat:
    """What is kept of a file's stat."""
    return Stat(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, content_id)
