"""A source, the files it lists, and the one outcome each of them has."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from schemas.stated import NOTHING_STATED, Stated

SKIP_REASONS: dict[str, str] = {
    "excluded": "left out by an include or exclude pattern",
    "not documentation": "of no kind that muniment indexes",
    "no documentation": "a script without a header, or a document without text",
    "empty": "holds nothing",
    "too large": "over the size cap (index.max_bytes)",
    "binary": "holds NUL bytes or is not text",
    "symlink": "a symbolic link; links are never followed",
    "submodule": "another repository; index it as a source of its own",
    "unsafe path": "the name would leave the repository or reach into .git",
    "missing": "the object or file is not there (partial or sparse clone, or deleted)",
    "unreadable": "could not be opened or read",
    "may hold secrets": "a file of a kind that usually holds credentials",
    "no text layer": "a PDF of pictures, such as a scan; what they show is not guessed",
    "encrypted": "a PDF that needs a password",
    "type left out": "a note whose type vault.types does not name",
    "secret": "looks like holding a key (index.secrets); of a file that has other parts, these are indexed",
}


@dataclass(frozen=True, slots=True)
class NoteRules:
    """Which notes of a vault are wanted, and what says of which type they are."""

    types: tuple[str, ...] = ("*",)
    """In any case; `*` admits all."""
    type_keys: tuple[str, ...] = ("type",)
    """Keys of the front matter; the first that a note has counts."""
    namespace_keys: tuple[str, ...] = ()
    folders: tuple[tuple[str, str], ...] = ()
    """Gitignore patterns, each with the type of the notes beneath that name none themselves; the first counts."""
    untyped: bool = True
    """Whether notes without a type are wanted."""


ALL_NOTES = NoteRules()


@dataclass(frozen=True, slots=True)
class Source:
    """One place documents come from, as the operator named it."""

    name: str
    path: str
    """Absolute path of the folder."""
    kind: str = "git"
    worktree: bool = False
    """Read the working copies of tracked files instead of HEAD."""
    include: tuple[str, ...] = ()
    """Gitignore patterns; empty means all."""
    exclude: tuple[str, ...] = ()
    max_bytes: int = 512_000
    notes: NoteRules = ALL_NOTES
    """Only for a vault."""
    withhold_secrets: bool = True
    """Whether chunks that look like holding a key are left out."""
    commit: str = ""
    """Of a repository: the commit that is read in place of the one at HEAD."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file that a source lists."""

    path: str
    """Relative to the source's folder, with `/`; bytes that are not UTF-8 stand as `\\xNN`."""
    content_id: str
    """The git blob id, in an archive with a digest of what is stated: equal ids mean equal bytes.

    Empty until the bytes are read."""
    raw: bytes = b""
    """The name as the file system or git spells it."""
    size: int = -1
    """In bytes; -1 where only reading tells."""
    mtime_ns: int = 0
    """Of the working copy; 0 for committed files, whose time says nothing."""
    stated: Stated = NOTHING_STATED
    """Of a document of an archive: what stands beside it about it."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a file is, once it is known to be a document."""

    kind: str
    """A key of `schemas.chunks.KINDS`."""
    type: str
    """A note's own type; for other kinds the kind."""
    namespace: str = ""
    """What a note belongs to, a mission for example; empty where it names none."""
    broken: bool = field(default=False, compare=False)
    """Whether it has front matter that can't be read."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not indexed, and why: `reason` is a key of `SKIP_REASONS`."""

    path: str
    reason: str
    detail: str = ""
    content_id: str = ""
    sensitivity: str = ""
    """As it is stated beside the file: who must not see the document must not hear of it either."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source holds at one moment: every tracked file is in exactly one of the two lists."""

    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...] = ()
    commit: str = ""
    """The commit read; in worktree mode the commit that HEAD names. Empty for other kinds."""
    doubts: tuple[str, ...] = ()
    """What is stated of documents that are not there."""


class SourceReader(Protocol):
    """A kind of source: how its files are listed and read."""

    def list_files(self) -> Listing:
        """The files of the source now, sorted by path.

        Raises SourceUnreadable when the source as a whole can't be read; a file that can't be listed is skipped.
        """
        ...

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        """Each entry with its bytes (`content_id` and `size` filled in), or why not; in the order given.

        Reads one file at a time, so memory stays bounded by the size cap.
        """
        ...

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        """The content id that each of these files has now; empty for one that can't be read any more.

        Files that are gone are left out. Raises SourceUnreadable.
        """
        ...
