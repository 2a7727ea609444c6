"""A git repository's committed state: what HEAD holds, read from the object store."""

import os
from collections.abc import Iterable, Iterator

from muniment.gitrun import find_head, list_records
from schemas.files import Entry, Listing, Skipped, Source
from tasks.enumerate.blobs import Blobs
from tasks.enumerate.names import check_name
from tasks.enumerate.outcomes import Unread, by_path, with_bytes


class Commit:
    """Reads the commit at HEAD; of a folder inside a repository, only that folder."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def list_files(self) -> Listing:
        """The files of the commit at HEAD, by path. Raises SourceUnreadable."""
        head = find_head(self._source.path)
        tree = f"{head.commit}:{os.fsdecode(head.prefix).rstrip('/')}"
        outcomes: list[Entry | Skipped] = []
        taken: set[str] = set()
        for (mode, _, blob), raw in list_records(self._source.path, "ls-tree", "-r", "-z", "--full-tree", tree):
            path = check_name(raw, mode, taken)
            outcomes.append(path if isinstance(path, Skipped) else Entry(path, blob, raw))
        return by_path(outcomes, head.commit)

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        """Each entry with its bytes, or why not; it need not be of the commit that is at HEAD by now."""
        with Blobs(self._source.path) as blobs:
            for entry in entries:
                try:
                    yield with_bytes(entry, blobs.read(entry.content_id, self._source.max_bytes))
                except Unread as why:
                    yield why.of(entry)
