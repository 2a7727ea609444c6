"""Files beneath one folder, reached without following a symbolic link or opening anything but a regular file."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import Self

from muniment.errors import SourceUnreadable
from tasks.enumerate.outcomes import Unread

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
# Not blocking, because a FIFO may take a file's place between the look and the opening.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY

MAX_DEPTH = 64
"""Folders within folders that a walk enters: a tree that goes on without end must not."""

_OTHERS = {
    stat.S_IFDIR: "a folder stands in its place",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Beneath:
    """Looks at and reads files by their names inside a folder; leaving the `with` block gives the handles back.

    A name must have passed `names.is_unsafe`. The folders on the way to the last file stay open, so walking in
    sorted order is cheapest.
    """

    def __init__(self, folder: str) -> None:
        try:
            self._root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise SourceUnreadable(f"can't open {folder!r}: {error.strerror}", "check the path") from error
        self._trail: list[tuple[bytes, int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._retreat(0)
        os.close(self._root)

    def look(self, name: bytes) -> os.stat_result:
        """The stat of a regular file. Raises Unread."""
        try:
            folder, last = self._enter(name)
            return _regular(os.stat(last, dir_fd=folder, follow_symlinks=False))
        except OSError as error:
            raise _unread(error) from error

    def read(self, name: bytes, max_bytes: int) -> tuple[bytes, os.stat_result]:
        """The bytes of a regular file, and its stat from before they were read. Raises Unread."""
        self.look(name)  # opening a device can set it going
        try:
            folder, last = self._enter(name)
            with os.fdopen(os.open(last, _FILE, dir_fd=folder), "rb") as file:
                before = _regular(os.fstat(file.fileno()))
                if before.st_size > max_bytes:
                    raise Unread("too large", f"{before.st_size:,} bytes")
                raw = file.read(before.st_size + 1)
                after = os.fstat(file.fileno())
        except OSError as error:
            raise _unread(error) from error
        if (len(raw), after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise Unread("unreadable", "it changed while being read")
        return raw, before

    def walk(self, leaves_out: Callable[[bytes], bool]) -> Iterator[tuple[bytes, os.stat_result | Unread]]:
        """Every name beneath that is no folder, with its stat, or why it is no file to read; folder by folder.

        Of a folder that can't be listed, its own name and why not. Those that `leaves_out` names are passed over.
        """
        waiting = [b""]
        while waiting:
            prefix = waiting.pop()
            try:
                names = self._names(prefix)
            except (Unread, OSError) as error:
                yield prefix.rstrip(b"/"), error if isinstance(error, Unread) else _unread(error)
                continue
            folders = []
            for name in names:
                found = self._found(prefix + name)
                if isinstance(found, Unread) or not stat.S_ISDIR(found.st_mode):
                    yield prefix + name, found
                elif not leaves_out(prefix + name):
                    folders.append(prefix + name + b"/")
            waiting += reversed(folders)

    def names(self, folder: bytes) -> list[bytes]:
        """The names in a folder, hidden ones too, in order; none where it can't be listed. Empty: the root."""
        try:
            return self._names(folder + b"/" if folder else b"")
        except (Unread, OSError):
            return []

    def _names(self, prefix: bytes) -> list[bytes]:
        if prefix.count(b"/") > MAX_DEPTH:
            raise Unread("unreadable", f"over {MAX_DEPTH} folders deep")
        folder, _ = self._enter(prefix)
        with os.scandir(folder) as found:
            return sorted(os.fsencode(one.name) for one in found)

    def _found(self, name: bytes) -> os.stat_result | Unread:
        """The stat of a regular file or a folder."""
        try:
            folder, last = self._enter(name)
            found = os.stat(last, dir_fd=folder, follow_symlinks=False)
            return found if stat.S_ISDIR(found.st_mode) else _regular(found)
        except Unread as why:
            return why
        except OSError as error:
            return _unread(error)

    def _enter(self, name: bytes) -> tuple[int, bytes]:
        *folders, last = name.split(b"/")
        shared = 0
        while shared < min(len(folders), len(self._trail)) and folders[shared] == self._trail[shared][0]:
            shared += 1
        self._retreat(shared)
        for folder in folders[shared:]:
            self._trail.append((folder, self._open_folder(folder)))
        return self._here(), last

    def _retreat(self, depth: int) -> None:
        while len(self._trail) > depth:
            os.close(self._trail.pop()[1])

    def _here(self) -> int:
        return self._trail[-1][1] if self._trail else self._root

    def _open_folder(self, name: bytes) -> int:
        try:
            return os.open(name, _FOLDER, dir_fd=self._here())
        except NotADirectoryError:
            if stat.S_ISLNK(os.stat(name, dir_fd=self._here(), follow_symlinks=False).st_mode):
                raise Unread("symlink", "a folder above it is a link") from None
            raise


def _regular(found: os.stat_result) -> os.stat_result:
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFLNK:
        raise Unread("symlink")
    if kind != stat.S_IFREG:
        raise Unread("unreadable", _OTHERS.get(kind, "not a regular file"))
    return found


def _unread(error: OSError) -> Unread:
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return Unread("missing")
    if error.errno == errno.ELOOP:
        return Unread("symlink")
    return Unread("unreadable", error.strerror or str(error))
