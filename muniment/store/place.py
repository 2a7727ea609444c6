"""What an index asks of the file system it lies on: hard links to commit a version, kernel locks to have one writer."""

from __future__ import annotations

import errno
import fcntl
import shutil
import tempfile
from pathlib import Path

from muniment.errors import Refused
from muniment.generation import NO_LOCKS

PROBE = ".muniment-probe-"
_NO_LINKS = {errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV}
"""What link() says of a file that we have just made, where it can never work."""
HINT = "choose a folder on a local disk with --home (FAT, exFAT and some network mounts lack what an index needs)"


def refuse_place(folder: Path) -> None:
    """Raises Refused where no index can be written safely, before anything is; the folder need not exist yet."""
    if lacks := find_lacks(folder):
        raise Refused(f"the file system under '{folder}' has no {' and no '.join(lacks)}", HINT)


def find_lacks(folder: Path) -> list[str]:
    """What the file system of a folder, which need not exist yet, does not have; empty where nothing can be written.

    Tried out on a file that is removed again: what a mount says of itself is no promise. The writer's own lock is not
    touched, so that nobody who looks stands in the way of a run.
    """
    try:
        place = next(above for above in (folder, *folder.parents) if above.is_dir())
        with tempfile.TemporaryDirectory(prefix=PROBE, dir=place, ignore_cleanup_errors=True) as made:
            tried = Path(made) / "file"
            tried.touch()
            return [*_without_links(tried), *_without_locks(tried)]
    except OSError:
        return []  # full or read-only: the run itself says it in its own words


def sweep_probes(folder: Path) -> None:
    """Removes what a run that was killed while it tried the folder out has left there."""
    for left in folder.glob(f"{PROBE}*"):
        shutil.rmtree(left, ignore_errors=True)


def _without_links(tried: Path) -> list[str]:
    try:
        tried.with_name("link").hardlink_to(tried)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return ["hard links, of which each commit makes one"]
    return []


def _without_locks(tried: Path) -> list[str]:
    with tried.open("rb") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            return ["locks, which keep a second writer out"]
    return []
