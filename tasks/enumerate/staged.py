"""The index of a git repository: what the next commit will hold."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from muniment.errors import SourceUnreadable
from muniment.gitrun import find_head, list_records, run
from schemas.files import Entry, Listing, Skipped, Source
from tasks.enumerate.blobs import Blobs
from tasks.enumerate.names import check_name
from tasks.enumerate.outcomes import Unread, by_path, with_bytes

_OURS = "2"
"""The stage of a name in conflict that holds what was on the branch before."""


class _Record(NamedTuple):
    mode: str
    blob: str
    stage: str


class Staged:
    """Reads what is staged; of a folder inside a repository, only that folder.

    `index_file` is what git names in `GIT_INDEX_FILE` to the hooks of a commit: `git commit -a` and `git commit PATH`
    fill another index than the usual one. It is heeded only where it lies in the repository's own git folder.
    """

    def __init__(self, source: Source, index_file: str = "") -> None:
        self._source = source
        self._index_file = index_file

    def list_files(self) -> Listing:
        """The files of the index, by path; its commit is the one at HEAD, if there is one. Raises SourceUnreadable."""
        head = find_head(self._source.path, need_commit=False)
        if not head.in_work_tree:
            raise SourceUnreadable(f"{self._source.path!r} has no index", "leave out --staged to read its commit")
        outcomes: list[Entry | Skipped] = []
        taken: set[str] = set()
        for raw, record in sorted(self._list_index().items()):
            path = check_name(raw, record.mode, taken)
            outcomes.append(path if isinstance(path, Skipped) else Entry(path, record.blob, raw))
        return by_path(outcomes, head.commit)

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        """Each entry with its bytes, or why not."""
        with Blobs(self._source.path) as blobs:
            for entry in entries:
                try:
                    yield with_bytes(entry, blobs.read(entry.content_id, self._source.max_bytes))
                except Unread as why:
                    yield why.of(entry)

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        """The blob id that the index has for each of these files; those that it does not hold are left out."""
        wanted = set(paths)
        return {entry.path: entry.content_id for entry in self.list_files().entries if entry.path in wanted}

    def _list_index(self) -> dict[bytes, _Record]:
        records: dict[bytes, _Record] = {}
        index_file = _own_index(self._source.path, self._index_file)
        for words, raw in list_records(self._source.path, "ls-files", "-s", "-z", index_file=index_file):
            record = _Record(*words)
            # A name in conflict comes up to three times.
            if raw not in records or record.stage == _OURS:
                records[raw] = record
        return records


def _own_index(folder: str, named: str) -> str:
    if not named:
        return ""
    own = Path(os.fsdecode(run(folder, "rev-parse", "--absolute-git-dir")[:-1]))
    there = Path(named).absolute()
    return str(there) if there.parent.resolve() == own.resolve() else ""
