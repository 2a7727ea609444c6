"""The enumerate step: what a source holds now, narrowed by what its repository asks to leave out."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from schemas.files import Listing, Source, SourceReader
from tasks.enumerate import reader
from tasks.enumerate.seen import Remembering, load_seen, save_seen
from tasks.narrow import Narrowing, narrowed, read_narrowing
from tasks.secrets.paths import withhold_named


@dataclass(frozen=True, slots=True)
class Listed:
    """A source with its files and its repository's own narrowing."""

    source: Source
    files: SourceReader = field(repr=False)
    listing: Listing = field(repr=False)
    narrowing: Narrowing
    at_ns: int
    """When the listing began."""
    whole: Listing | None = field(default=None, repr=False)
    """With the files whose names seem to hold a key, where these are left out of `listing`."""


def list_sources(sources: tuple[Source, ...], seen: Path) -> list[Listed]:
    """The files of each source, in the order given; `seen` is the folder of what earlier runs saw.

    Raises SourceUnreadable for a source that can't be read at all, SettingsError for a narrowing file that is broken.
    """
    return [_list(source, seen) for source in sources]


def remember_files(listed: list[Listed], seen: Path) -> None:
    """Keeps what this run saw of files that can change without a commit, so that the next need not read them again."""
    for found in listed:
        if isinstance(found.files, Remembering):
            save_seen(seen, found.source, found.at_ns, found.whole or found.listing, found.files.stats)


def _list(source: Source, seen: Path) -> Listed:
    at_ns = time.time_ns()
    files = reader(source, load_seen(seen, source))
    listing = files.list_files()
    narrowing = read_narrowing(source, listing, files)
    narrow = narrowed(source, narrowing)
    # The reader refuses what is over the cap, so a lower cap needs a reader of its own.
    if narrow != source:
        files = reader(narrow, load_seen(seen, source))
        listing = files.list_files()
    named = withhold_named(narrow, narrowing, listing) if narrow.withhold_secrets else listing
    return Listed(narrow, files, named, narrowing, at_ns, listing)
