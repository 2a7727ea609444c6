"""The working copies of a git repository's tracked files: what was edited but not yet committed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from muniment.errors import SourceUnreadable
from muniment.gitrun import find_head, list_records, run
from schemas.files import Entry, Listing, Skipped, Source
from tasks.enumerate.beneath import Beneath
from tasks.enumerate.blobs import Blobs, blob_id
from tasks.enumerate.names import check_name, spellings
from tasks.enumerate.outcomes import Unread, by_path, with_bytes
from tasks.enumerate.stats import NOTHING_SEEN, Seen, Stat, stat_of

_NOT_CHECKED_OUT = "S"


class _Tracked(NamedTuple):
    mode: str
    blob: str
    tag: str


class WorkingCopies:
    """Reads tracked files as they lie in the work tree; of a folder inside it, only that folder.

    `stats` is what to hand to the next run in `Seen`: of each file that was to be read, or is known by its stat.
    """

    def __init__(self, source: Source, seen: Seen = NOTHING_SEEN) -> None:
        self._source = source
        self._seen = seen
        self.stats: dict[str, Stat] = {}

    def list_files(self) -> Listing:
        """The tracked files, by path; one whose stat is as last seen keeps its content id. Raises SourceUnreadable."""
        folder = self._source.path
        head = find_head(folder, need_commit=False)
        if not head.in_work_tree:
            raise SourceUnreadable(f"{folder!r} has no work tree", "leave out --worktree to read its commit")
        outcomes: list[Entry | Skipped] = []
        taken: set[str] = set()
        with Beneath(folder) as files:
            for raw, tracked in sorted(_list_tracked(folder).items()):
                path = check_name(raw, tracked.mode, taken)
                outcomes.append(path if isinstance(path, Skipped) else self._look(files, path, raw, tracked))
        return by_path(outcomes, head.commit)

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        """Each entry with its bytes, or why not."""
        with Beneath(self._source.path) as files, Blobs(self._source.path) as blobs:
            for entry in entries:
                try:
                    yield with_bytes(*self._read(entry, files, blobs))
                except Unread as why:
                    yield why.of(entry)

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        """The content id of each of these files as it lies there, or is kept where it is not checked out."""
        present: dict[str, str] = {}
        with Beneath(self._source.path) as files:
            for path, raw in sorted((one, raw) for one in paths for raw in spellings(one)):
                if path not in present and (found := self._present_id(files, raw)) is not None:
                    present[path] = found
        if absent := set(paths) - present.keys():
            tracked = _list_tracked(self._source.path)
            kept = ((path, tracked[raw]) for path in absent for raw in spellings(path) if raw in tracked)
            present |= {path: one.blob for path, one in kept if one.tag == _NOT_CHECKED_OUT}
        return present

    def _present_id(self, files: Beneath, raw: bytes) -> str | None:
        """The id of a file's bytes; empty where they can't be had, None where there is no such file."""
        try:
            return blob_id(files.read(raw, self._source.max_bytes)[0], self._object_format)
        except Unread as why:
            return None if why.reason in {"missing", "symlink"} else ""

    def _look(self, files: Beneath, path: str, raw: bytes, tracked: _Tracked) -> Entry | Skipped:
        try:
            found = files.look(raw)
        except Unread as why:
            if why.reason == "missing" and tracked.tag == _NOT_CHECKED_OUT:
                return Entry(path, tracked.blob, raw)
            return Skipped(path, why.reason, why.detail)
        entry = Entry(path, "", raw, found.st_size, found.st_mtime_ns)
        if not (seen := self._seen.unchanged(path, found)):
            return entry
        self.stats[path] = seen
        return replace(entry, content_id=seen.content_id)

    def _read(self, entry: Entry, files: Beneath, blobs: Blobs) -> tuple[Entry, bytes]:
        if entry.size < 0:  # not checked out
            return entry, blobs.read(entry.content_id, self._source.max_bytes)
        try:
            raw, found = files.read(entry.raw, self._source.max_bytes)
        except Unread:
            # Kept without an id, or nothing would tell that the file has changed into one that can be read.
            self.stats[entry.path] = stat_of(files.look(entry.raw), "")
            raise
        content_id = blob_id(raw, self._object_format)
        self.stats[entry.path] = stat_of(found, content_id)
        return replace(entry, content_id=content_id, mtime_ns=found.st_mtime_ns), raw

    @cached_property
    def _object_format(self) -> str:
        return run(self._source.path, "rev-parse", "--show-object-format").decode().strip()


def _list_tracked(folder: str) -> dict[bytes, _Tracked]:
    tracked: dict[bytes, _Tracked] = {}
    for (tag, mode, blob, _), raw in list_records(folder, "ls-files", "-s", "-t", "-z"):
        # A name in conflict comes up to three times; as a regular file, whose mode is the lowest, if it ever is one.
        one = _Tracked(mode, blob, tag)
        tracked[raw] = min(tracked.get(raw, one), one)
    return tracked
