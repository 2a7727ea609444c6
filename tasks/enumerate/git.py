"""A git repository's committed state: what HEAD holds, read from the object store."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping

from muniment.gitrun import Head, find_head, list_records
from schemas.files import Entry, Listing, Skipped, Source
from tasks.enumerate.blobs import Blobs
from tasks.enumerate.names import SYMLINK, check_name, spellings
from tasks.enumerate.outcomes import Unread, by_path, with_bytes

_AT_ONCE = 200
"""Names on one command line, which holds some 2 MB."""


class Commit:
    """Reads the commit at HEAD, or the one that is named; of a folder inside a repository, only that folder."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def list_files(self) -> Listing:
        """The files of the commit, by path. Raises SourceUnreadable."""
        head = find_head(self._source.path, need_commit=not self._source.commit)
        head = head._replace(commit=self._source.commit or head.commit)
        outcomes: list[Entry | Skipped] = []
        taken: set[str] = set()
        for (mode, _, blob), raw in list_records(self._source.path, "ls-tree", "-r", "-z", "--full-tree", _tree(head)):
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

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        """The blob id that HEAD has for each of these files; those that it does not hold are left out."""
        tree = _tree(find_head(self._source.path))
        named = {raw: path for path in paths for raw in spellings(path)}
        present: dict[str, str] = {}
        for names in _some(list(named)):
            for (mode, kind, blob), raw in list_records(
                self._source.path, "ls-tree", "-z", "--full-tree", tree, "--", *map(os.fsdecode, names)
            ):
                if raw in named and kind == "blob" and mode != SYMLINK:
                    present.setdefault(named[raw], blob)
        return present


def _tree(head: Head) -> str:
    return f"{head.commit}:{os.fsdecode(head.prefix).rstrip('/')}"


def _some(names: list[bytes]) -> Iterator[list[bytes]]:
    return (names[start : start + _AT_ONCE] for start in range(0, len(names), _AT_ONCE))
