"""The enumerate step: what a source holds now, narrowed by what its repository asks to leave out."""

from dataclasses import dataclass

from schemas.files import Listing, Source
from tasks.enumerate import reader
from tasks.narrow import Narrowing, narrowed, read_narrowing


@dataclass(frozen=True, slots=True)
class Listed:
    """A source with its files and its repository's own narrowing."""

    source: Source
    listing: Listing
    narrowing: Narrowing


def list_sources(sources: tuple[Source, ...]) -> list[Listed]:
    """The files of each source, in the order given.

    Raises SourceUnreadable for a source that can't be read at all, SettingsError for a narrowing file that is broken.
    """
    return [_list(source) for source in sources]


def _list(source: Source) -> Listed:
    files = reader(source)
    listing = files.list_files()
    narrowing = read_narrowing(source, listing, files)
    return Listed(narrowed(source, narrowing), listing, narrowing)
