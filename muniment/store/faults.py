"""What LanceDB and the disk say, in our own words."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator

from muniment.errors import DiskFull, ForeignIndex, MunimentError, ReadOnly


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Foreign errors as our own, chained."""
    try:
        yield
    except MunimentError:
        raise
    except OSError as error:
        raise _storage_error(error, error.errno, str(error.filename or "")) from error
    except (RuntimeError, ValueError) as error:
        raise lance_error(error) from error


def _storage_error(error: OSError, code: int | None, where: str) -> MunimentError:
    if code in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(
            f"no room left for the index ({where or error})", "free some room and run again; nothing was lost"
        )
    if code in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ReadOnly(
            f"the index can't be written: {error.strerror} '{where}'", "check the folder's owner, or choose --home"
        )
    return ForeignIndex(f"the index can't be used: {error}", "run 'muniment doctor'")


def lance_error(error: Exception) -> Exception:
    """Our name for what LanceDB said, or the very same error where it has none."""
    said = str(error)
    known: Iterable[tuple[str, int]] = (
        ("No space left", errno.ENOSPC),
        ("Read-only file system", errno.EROFS),
        ("Permission denied", errno.EACCES),
    )
    for words, code in known:
        if words in said:
            return _storage_error(OSError(code, os.strerror(code)), code, "")
    if "ot found" in said:
        return ForeignIndex(
            f"the index has lost a file: {said.splitlines()[0][:200]}", "rebuild it with 'muniment index --force'"
        )
    return error
