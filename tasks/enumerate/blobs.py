"""Blobs out of git's object store, by id."""

import hashlib
import os
from typing import Self

from muniment.errors import SourceUnreadable
from muniment.gitrun import Git, run
from tasks.enumerate.outcomes import Unread

_NOT_FETCHED = "not fetched by this partial clone"
# What git says of an object that it would have to fetch; the second comes from the git it starts for that, which alone
# is heard where the first one dies of the pipe between the two.
_FETCHES = ("promisor", "' not allowed")


def blob_id(raw: bytes, algorithm: str) -> str:
    """The id git gives these bytes; `algorithm` is the repository's object format, sha1 or sha256."""
    return hashlib.new(algorithm, b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()


class Blobs:
    """Reads blobs one at a time through a `git cat-file` that ends with the `with` block."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._git: Git | None = None
        self._absent: frozenset[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def read(self, wanted: str, max_bytes: int) -> bytes:
        """The bytes of a blob, checked against its id. Raises Unread, also when there are more than `max_bytes`."""
        if self._absent and wanted in self._absent:
            raise Unread("missing", _NOT_FETCHED)
        git = self._git = self._git or Git(self._folder, "cat-file", "--batch")
        try:
            return _ask(git, wanted, max_bytes)
        except (EOFError, BrokenPipeError):
            raise self._post_mortem(git) from None
        except Unread as why:
            if why.reason != "missing":
                self._stop()  # sooner done than reading past what it may still have to say
            raise

    def _post_mortem(self, git: Git) -> Unread:
        complaint = git.complaint()
        self._stop()
        if not any(word in complaint for word in _FETCHES):
            return Unread("unreadable", complaint or "git ended")
        if self._absent is None:
            self._absent = _absent_objects(self._folder)
        return Unread("missing", _NOT_FETCHED)

    def _stop(self) -> None:
        if self._git:
            self._git.close()
            self._git = None


def _ask(git: Git, wanted: str, max_bytes: int) -> bytes:
    # A crafted object can announce more bytes, or fewer, than git then writes: a second question, whose answer no
    # object can hold, marks where the first one's answer ends.
    end = f"end-{os.urandom(16).hex()}"
    git.say(f"{wanted}\n{end}")
    _, kind, *rest = git.line().split()
    size = int(rest[0]) if rest else 0
    if size > max_bytes:
        raise Unread("too large", f"{size:,} bytes")
    answer = git.until(f"{end} missing\n".encode(), size + 1)
    if kind == "missing":
        raise Unread("missing", "git does not find the object")
    if kind != "blob":
        raise Unread("unreadable", f"a {kind} object in a file's place")
    raw = answer[:-1]
    if blob_id(raw, "sha1" if len(wanted) == 40 else "sha256") != wanted:
        # git hands out a loose object without comparing
        raise Unread("unreadable", "the object is damaged")
    return raw


def _absent_objects(folder: str) -> frozenset[str]:
    # Asking for an absent object ends the git that is asked, some 5 ms each: learn of all of them at once.
    try:
        listed = run(folder, "rev-list", "--objects", "--no-walk", "--missing=print", "HEAD")
    except SourceUnreadable:
        return frozenset()
    return frozenset(line[1:].decode() for line in listed.splitlines() if line.startswith(b"?"))
