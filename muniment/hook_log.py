"""The log of what came of each pull: one line for each, in the home, and never more than two files of it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from muniment.assembly import LOG
from muniment.inert import one_line

NAME = "hook.log"
MAX_BYTES = 1_000_000
"""At which the log is set aside as hook.log.1, in the place of the one before."""
_TAIL_BYTES = 65_536


def log_of(home: Path) -> Path:
    """Where the log lies."""
    return home / LOG / NAME


def is_foreign(home: Path) -> bool:
    """Whether we are root in another user's home: what root writes there, nobody else can write again."""
    return os.geteuid() == 0 and home.exists() and home.stat().st_uid != 0


def write_line(home: Path, repo: Path, said: str, now: datetime) -> None:
    """Adds a line about a repository; leaves it out where the log can't be written."""
    at = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    with log_to_write(home) as log:
        log.write(f"{at} {one_line(str(repo))}: {one_line(said)}\n".encode("utf-8", "backslashreplace"))


def last_line(home: Path, repo: Path) -> str:
    """What was last said of a repository, with its time; empty when nothing was."""
    about = f" {one_line(str(repo))}: "
    try:
        with log_of(home).open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((line for line in reversed(lines) if line.partition("Z")[2].startswith(about)), "")


@contextlib.contextmanager
def log_to_write(home: Path) -> Iterator[IO[bytes]]:
    """The log, or nowhere: a pull is none the worse for a full disk."""
    path = log_of(home)
    try:
        if is_foreign(home):
            raise PermissionError
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MAX_BYTES:
            path.replace(path.with_name(f"{NAME}.1"))
        log = path.open("ab", buffering=0)
    except OSError:
        log = open(os.devnull, "wb", buffering=0)  # noqa: PTH123, SIM115
    with log, contextlib.suppress(OSError):
        yield log
