"""Published states of the index: the pointer file, its history, and the locks.

Standard library only: a run with nothing to do reads nothing but this.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muniment.errors import Busy, ForeignIndex, IndexMismatch, NoIndex, UsageError
from schemas.generations import Generation, SourceState, TableVersion, as_json
from schemas.versions import SCHEMA_VERSION

POINTER = "current.json"
HISTORY = "generations"
FORMAT = "muniment-index"
LOCK = "lock"
FILES = ".files"
"""Suffix, beside a generation's own file, of the list of the files that it is read from."""
MEND = "mend it with 'muniment repair'"
BESIDE = ".new"
"""Ends the name of a file that is about to take the place of another."""
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}
"""What flock() says on a file system that has no locks."""


def read_current(index: Path) -> Generation | None:
    """The published generation, or None where nothing was ever published here.

    Raises ForeignIndex when the pointer is torn or is not muniment's, IndexMismatch when a newer muniment wrote it.
    """
    try:
        text = (index / POINTER).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ForeignIndex(f"can't read '{index / POINTER}': {error}", MEND) from error
    return parse_generation(text, index / POINTER)


def refuse_busy(index: Path) -> None:
    """Raises Busy where another process holds the writer's lock: said at once, before what a run needs is loaded.

    Whom it turns away while it looks is turned away by a run that begins; of several that look at once, one goes on.
    """
    with contextlib.suppress(OSError):  # no lock yet, or not ours to take: the run itself says it
        handle = os.open(index / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise busy(index) from None
        finally:
            os.close(handle)


def busy(index: Path) -> Busy:
    """What a writer is told while there is another."""
    return Busy(f"another run is writing the index at '{index}'", "try again when it has ended")


@contextlib.contextmanager
def held_generation(index: Path, number: int | None = None) -> Iterator[Generation]:
    """The published generation, or the earlier one of this number; not reclaimed until the block ends.

    A shared kernel lock on the generation's own file; the writer reclaims only what it can lock alone.
    Raises NoIndex when nothing is published, UsageError for a number that is not kept.
    """
    while True:
        generation = read_current(index)
        if generation is None:
            raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
        wanted = generation.number if number is None else number
        try:
            handle = os.open(history_file(index, wanted), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            if wanted != generation.number:
                raise _not_kept(index, wanted) from None
            if read_current(index) == generation:
                raise ForeignIndex(f"index at '{index}' has lost generation {generation.number}", MEND) from None
            continue  # reclaimed between the two reads: a newer one is published
        try:
            _share(handle)
            # Reclaimed while we waited for the lock: the file has no name any more.
            if os.fstat(handle).st_nlink == 0:
                continue
            yield generation if wanted == generation.number else read_generation(history_file(index, wanted))
            return
        finally:
            os.close(handle)


def _share(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
    except OSError as error:
        # Where there are no locks no writer works either, and nothing is reclaimed under a reader.
        if error.errno not in NO_LOCKS:
            raise


def kept_generations(index: Path) -> list[Generation]:
    """The published generations that can still be read, newest first."""
    return [kept for path in history_files(index) if (kept := _read_kept(path))]


def history_files(index: Path) -> list[Path]:
    """The generations' own files, newest first."""
    return sorted((index / HISTORY).glob("[0-9]*.json"), reverse=True)


def read_generation(path: Path) -> Generation:
    """The generation in a file. Raises ForeignIndex when the file is torn, FileNotFoundError when it is gone."""
    try:
        return parse_generation(path.read_text(encoding="utf-8"), path)
    except UnicodeDecodeError as error:
        raise _torn(path) from error


def _read_kept(path: Path) -> Generation | None:
    """None for one that was reclaimed since it was listed, or that is torn: nobody can read it any more."""
    try:
        return read_generation(path)
    except (FileNotFoundError, ForeignIndex):
        return None


def _not_kept(index: Path, number: int) -> UsageError:
    kept = ", ".join(str(generation.number) for generation in kept_generations(index))
    return UsageError(f"generation {number} is not kept", f"kept are: {kept}; index.keep_generations says how many")


def publish(index: Path, generation: Generation) -> None:
    """Makes a generation the one that readers see: its own file first, then the pointer, each replaced whole."""
    text = pointer_text(generation)
    for path in (history_file(index, generation.number), index / POINTER):
        replace_whole(path, text.encode())


def pointer_text(generation: Generation) -> str:
    """What stands in a generation's file and in the pointer, byte for byte, with its own checksum."""
    from muniment.inert import write_json  # not on the way of a run with nothing to do

    values = {"format": FORMAT, **as_json(generation)}
    return write_json({**values, "sum": _sum(values)}, indent=1, sort_keys=True) + "\n"


def replace_whole(path: Path, raw: bytes) -> None:
    """Puts a file in place of what stood there, at once; the folder it is in is made if need be."""
    path.parent.mkdir(exist_ok=True)
    beside = path.with_name(f".{path.name}{BESIDE}")
    beside.write_bytes(raw)
    beside.replace(path)


def reclaim(index: Path, keep: int, *, dry: bool = False) -> list[Generation]:
    """The generations still needed, newest first, after forgetting the others that no reader holds.

    Always keeps the newest `keep` of those that were published; of those that are torn nothing is needed. `dry` forgets
    none. The caller holds the write lock.
    """
    files = history_files(index)
    if current := read_current(index):
        # A run that was killed just before it published has left a newer one.
        newest = history_file(index, current.number).name
        files = [path for path in files if path.name <= newest or not forget(path, dry=dry)]
    needed = [*files[:keep], *(path for path in files[keep:] if not forget(path, dry=dry))]
    return [found for path in needed if (found := _read_kept(path))]


def forget(path: Path, *, dry: bool = False) -> bool:
    """Whether no reader holds the generation in this file, which then is no more (unless `dry`)."""
    with path.open("rb") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        # While it is locked: a reader that waits for it must find it without a name.
        if not dry:
            path.unlink()
            path.with_suffix(FILES).unlink(missing_ok=True)
        return True


def history_file(index: Path, number: int) -> Path:
    """The file of the generation of this number, which readers lock."""
    return index / HISTORY / f"{number:08d}.json"


def parse_generation(text: str, path: Path) -> Generation:
    """The generation that a text states; raises ForeignIndex, which names the path, for one that is torn."""
    summed = False
    try:
        values: dict[str, Any] = json.loads(text)
        # One that an older muniment wrote has no checksum.
        made = values.pop("sum", None)
        summed = made == _sum(values)
        if (made and not summed) or values.pop("format") != FORMAT:
            raise ValueError
        if values["schema"] > SCHEMA_VERSION:
            raise _newer(path, f" (schema {values['schema']}, this one reads {SCHEMA_VERSION})")
        return _as_generation(values)
    except TypeError as error:
        raise (_newer(path) if summed else _torn(path)) from error
    except (ValueError, KeyError, AttributeError) as error:
        raise _torn(path) from error


def _as_generation(values: dict[str, Any]) -> Generation:
    tables = {name: TableVersion(**table) for name, table in values.pop("tables").items()}
    sources = {name: SourceState(**source) for name, source in values.pop("sources").items()}
    return Generation(tables=tables, sources=sources, **values)


def _newer(path: Path, why: str = "") -> IndexMismatch:
    return IndexMismatch(f"'{path}' was written by a newer muniment{why}", "upgrade this one, or choose another --home")


def _torn(path: Path) -> ForeignIndex:
    return ForeignIndex(f"'{path}' is torn, or was not written by this muniment", MEND)


def _sum(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
