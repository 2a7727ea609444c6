"""The text files of a repository at one moment, as the drift checks read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from schemas.files import Skipped, SourceReader
from tasks.classify import Unsure, kind_from_content, kind_of
from tasks.decode import Decoded, decode
from tasks.secrets.paths import key_in_name


@dataclass(frozen=True)
class TextFile:
    """One decoded file."""

    path: str
    """Relative to the repository's root, with `/`."""
    text: str
    """With `\\n` line ends and no byte order mark."""
    kind: str = ""
    """The kind of documentation it is (a key of `schemas.chunks.KINDS`); empty for any other file."""
    content_id: str = ""
    secret: bool = False
    """It is of a kind that usually holds credentials: nothing of it is ever shown."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; `lines[n - 1]` is line n."""
        return tuple(self.text.split("\n"))

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """The path without its last part; empty at the top."""
        return self.path.rpartition("/")[0]

    @property
    def suffix(self) -> str:
        """What follows the last dot of the name, in lower case; empty where there is none."""
        return self.name.rpartition(".")[2].lower() if "." in self.name else ""


@dataclass(frozen=True)
class Tree:
    """A repository's files."""

    files: Mapping[str, TextFile]
    """Path -> file, sorted by path; those that hold text."""
    others: frozenset[str] = frozenset()
    """Paths that exist and hold no text that was read: pictures, links, files over the size cap."""
    commit: str = ""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> files that were not read though they may hold text."""

    @cached_property
    def paths(self) -> frozenset[str]:
        """Every path that exists, folders included (without a trailing slash)."""
        files = frozenset(self.files) | self.others
        return files | {folder for path in files for folder in _folders(path)}

    @property
    def documents(self) -> Iterator[TextFile]:
        """The files that are documentation, by path."""
        return (file for file in self.files.values() if file.kind)


def read_tree(reader: SourceReader, wanted: Callable[[str], bool] = lambda _path: True) -> Tree:
    """Every text file that the source lists, read once; of files that are not wanted only the name. Nor is one wanted
    whose name seems to hold a key, for its name would be told.

    Raises SourceUnreadable.
    """
    listing = reader.list_files()
    files: list[TextFile] = []
    entries = {entry.path: entry for entry in listing.entries if wanted(entry.path) and not key_in_name(entry.path)}
    unread = [*listing.skipped, *(Skipped(entry.path, "") for entry in listing.entries if entry.path not in entries)]
    for read in reader.read_files(entries.values()):
        made = read if isinstance(read, Skipped) else text_file(read[0].path, read[1], read[0].content_id)
        if isinstance(made, TextFile):
            files.append(made)
        else:
            unread.append(made)
    counted = Counter(one.reason for one in unread if one.reason in ("too large", "missing", "unreadable"))
    others = frozenset(one.path for one in unread if one.reason != "missing")
    return Tree({file.path: file for file in files}, others, listing.commit, dict(counted))


def text_file(path: str, raw: bytes, content_id: str = "") -> TextFile | Skipped:
    """The file that these bytes are, or why they are no text."""
    decoded = decode(raw)
    if not isinstance(decoded, Decoded):
        return Skipped(path, decoded)
    kind = kind_of(path)
    if isinstance(kind, Unsure):
        kind = kind_from_content(path, raw)
    if isinstance(kind, Skipped):
        return TextFile(path, decoded.text, "", content_id, kind.reason == "may hold secrets")
    return TextFile(path, decoded.text, kind, content_id)


def _folders(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
