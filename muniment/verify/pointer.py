"""The pointer and the generations' own files: whole, equal, and which generation is the one to look at."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from muniment.errors import ForeignIndex, NoIndex
from muniment.generation import (
    NO_LOCKS,
    POINTER,
    history_file,
    history_files,
    kept_generations,
    pointer_text,
    read_current,
    read_generation,
)
from muniment.verify.found import Finding
from schemas.generations import Generation


@contextlib.contextmanager
def held(index: Path, number: int) -> Iterator[bool]:
    """Whether the generation is still there; while the block lasts, nothing of it is reclaimed."""
    try:
        handle = os.open(history_file(index, number), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield False
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
        yield os.fstat(handle).st_nlink > 0
    finally:
        os.close(handle)


def published(index: Path) -> tuple[Generation | None, list[Finding]]:
    """The generation that the pointer names, else the newest that can be read, and what is wrong with either file.

    Raises NoIndex where nothing was ever published.
    """
    try:
        current = read_current(index)
    except ForeignIndex:
        newest = next(iter(kept_generations(index)), None)
        return newest, [_wrong(POINTER, "is torn"), *_torn_files(index)]
    if current is None:
        newest = next(iter(kept_generations(index)), None)
        # The first run of all, killed just before it published, leaves as much as this.
        if not history_files(index) or (newest and newest.number == 1):
            raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
        return newest, [_wrong(POINTER, "is gone"), *_torn_files(index)]
    return current, [*_unlike(index, current), *_torn_files(index)]


def _unlike(index: Path, current: Generation) -> Iterator[Finding]:
    """The pointer's own bytes, and those of the generation's file, which are the same."""
    files = (index / POINTER, history_file(index, current.number))
    found = [(path, raw) for path in files if (raw := _read(path)) is not None]
    if _has_moved(index, current):
        return  # published while we looked
    for path in files:
        raw = next((raw for one, raw in found if one == path), None)
        if raw is None:
            yield _wrong(path.relative_to(index).as_posix(), "is gone")
        elif raw != pointer_text(current).encode() and b'"sum"' in raw:
            yield _wrong(path.relative_to(index).as_posix(), "is not what was written")


def _torn_files(index: Path) -> Iterator[Finding]:
    for path in history_files(index):
        try:
            read_generation(path)
        except FileNotFoundError:
            continue  # reclaimed since it was listed
        except ForeignIndex:
            yield _wrong(path.relative_to(index).as_posix(), "is torn")


def _wrong(place: str, said: str) -> Finding:
    return Finding("pointer", place, said, remedy="pointer")


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _has_moved(index: Path, current: Generation) -> bool:
    try:
        return read_current(index) != current
    except ForeignIndex:
        return False
