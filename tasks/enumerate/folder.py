"""A plain folder outside git: every regular file beneath it that no hidden folder holds."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from schemas.files import Entry, Listing, Skipped, Source
from tasks.enumerate.beneath import Beneath
from tasks.enumerate.blobs import blob_id
from tasks.enumerate.names import check_name, spellings
from tasks.enumerate.outcomes import Unread, by_path, with_bytes
from tasks.enumerate.stats import NOTHING_SEEN, Seen, Stat, stat_of

_REGULAR = "100644"


def is_hidden(folder: bytes) -> bool:
    """Whether the last part of a folder's name begins with a dot."""
    return folder.rpartition(b"/")[2].startswith(b".")


class Folder:
    """Reads the files of a folder: by their stat where that is as last seen, else by their bytes.

    A content id is the id git would give the bytes. `stats` is what to hand to the next run in `Seen`: of each file
    that was read, or is known by its stat. Folders that `leaves_out` names are not entered.
    """

    def __init__(
        self, source: Source, seen: Seen = NOTHING_SEEN, leaves_out: Callable[[bytes], bool] = is_hidden
    ) -> None:
        self._source = source
        self._seen = seen
        self._leaves_out = leaves_out
        self.stats: dict[str, Stat] = {}

    def list_files(self) -> Listing:
        """The files, by path; one whose stat is as last seen keeps its content id. Raises SourceUnreadable."""
        outcomes: list[Entry | Skipped] = []
        taken: set[str] = set()
        with Beneath(self._source.path) as files:
            for raw, found in files.walk(self._leaves_out):
                path = check_name(raw, _REGULAR, taken)
                if isinstance(path, Skipped):
                    outcomes.append(path)
                elif isinstance(found, Unread):
                    outcomes.append(Skipped(path, found.reason, found.detail))
                else:
                    entry = Entry(path, "", raw, found.st_size, found.st_mtime_ns)
                    if seen := self._seen.unchanged(path, found):
                        self.stats[path] = seen
                        entry = replace(entry, content_id=seen.content_id)
                    outcomes.append(entry)
        return by_path(outcomes, commit="")

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        """Each entry with its bytes, or why not."""
        with Beneath(self._source.path) as files:
            for entry in entries:
                try:
                    yield with_bytes(*self._read(entry, files))
                except Unread as why:
                    yield why.of(entry)

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        """The content id of each of these files as it lies there; empty where its bytes can't be had."""
        present: dict[str, str] = {}
        with Beneath(self._source.path) as files:
            for path, raw in sorted((one, raw) for one in paths for raw in spellings(one)):
                if path not in present and (found := self._present_id(files, raw)) is not None:
                    present[path] = found
        return present

    def _present_id(self, files: Beneath, raw: bytes) -> str | None:
        """The id of a file's bytes; empty where they can't be had, None where there is no such file."""
        try:
            return blob_id(files.read(raw, self._source.max_bytes)[0], "sha1")
        except Unread as why:
            return None if why.reason in {"missing", "symlink"} else ""

    def _read(self, entry: Entry, files: Beneath) -> tuple[Entry, bytes]:
        try:
            raw, found = files.read(entry.raw, self._source.max_bytes)
        except Unread:
            # Kept without an id, or nothing would tell that the file has changed into one that can be read.
            self.stats[entry.path] = stat_of(files.look(entry.raw), "")
            raise
        content_id = blob_id(raw, "sha1")
        self.stats[entry.path] = stat_of(found, content_id)
        return replace(entry, content_id=content_id, mtime_ns=found.st_mtime_ns), raw
