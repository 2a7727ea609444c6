"""What LanceDB and the disk say, in our own words."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator

from muniment.errors import DiskFull, ForeignIndex, MunimentError, ReadOnly
from muniment.generation import MEND

_DAMAGED = ("corrupt file", "a Lance file", "sufficient data", "decode Protobuf")
_ENGINES_OWN = re.compile(r",? ?\S{0,300}/\.cargo/.*")


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Foreign errors as our own, chained."""
    try:
        yield
    except MunimentError:
        raise
    except OSError as error:
        raise _storage_error(error, error.errno, str(error.filename or "")) from error
    except sqlite3.Error as error:
        raise _sqlite_error(error) from error
    except (RuntimeError, ValueError) as error:
        raise lance_error(error) from error


@contextlib.contextmanager
def readable(what: str, *also: type[Exception]) -> Iterator[None]:
    """Raises ForeignIndex for what the engine says, or dies of, when bytes are not what was written; and for `also`."""
    damage: tuple[type[Exception], ...] = (RuntimeError, OSError, MemoryError, *also)
    try:
        with translated():
            yield
    except damage as error:
        raise ForeignIndex(f"can't read {what}: {_in_short(error)}", MEND) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what a panic of the engine arrives as; it has no other class
            raise
        raise ForeignIndex(f"can't read {what}: the engine gave up on it", MEND) from error


def _in_short(error: Exception) -> str:
    """What the engine said, without the place in its own code."""
    said = (str(error).splitlines() or [type(error).__name__])[0]
    return _ENGINES_OWN.sub("", said)[:200]


def _storage_error(error: OSError, code: int | None, where: str) -> MunimentError:
    said = f"{error.strerror} '{where}'" if where else error.strerror
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return DiskFull(f"no room left for the index: {said}", "free some room and run again; nothing was lost")
    if code in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ReadOnly(f"the index can't be written: {said}", "check the folder's owner, or choose --home")
    if code in (errno.EISDIR, errno.ELOOP):
        return ForeignIndex(f"the index can't be used: {said}", "move it away: a run makes its own")
    return ForeignIndex(f"the index can't be used: {said}", "run 'muniment doctor'")


def _sqlite_error(error: sqlite3.Error) -> Exception:
    """Our name for what SQLite, which keeps what earlier runs saw, said of the disk; else the very same error."""
    # The low byte is the kind; the rest says in which call it happened.
    kinds = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_IOERR: errno.EIO, sqlite3.SQLITE_READONLY: errno.EROFS}
    code = kinds.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return error if code is None else _storage_error(OSError(code, str(error)), code, "")


def lance_error(error: Exception) -> Exception:
    """Our name for what LanceDB said, or the very same error where it has none."""
    said = str(error)
    known: Iterable[tuple[str, int]] = (
        ("No space left", errno.ENOSPC),
        ("quota exceeded", errno.EDQUOT),
        ("File too large", errno.EFBIG),
        ("Read-only file system", errno.EROFS),
        ("Permission denied", errno.EACCES),
    )
    for words, code in known:
        if words in said:
            return _storage_error(OSError(code, os.strerror(code)), code, "")
    if "ot found" in said or "no longer exists" in said:
        return ForeignIndex(f"the index has lost a file: {_in_short(error)}", MEND)
    if any(words in said for words in _DAMAGED):
        return ForeignIndex(f"a file of the index is damaged: {_in_short(error)}", MEND)
    return error
