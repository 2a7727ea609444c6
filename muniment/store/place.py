"""What an index asks of where it lies.

Of a file system: hard links to commit a version, kernel locks to have one writer. Of a bucket: conditional puts, which
let only him replace the pointer who has seen it.
"""

from __future__ import annotations

import errno
import fcntl
import re
import shutil
import tempfile
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from muniment.errors import Busy, Refused
from muniment.generation import NO_LOCKS

if TYPE_CHECKING:
    from muniment.store.bucket import Bucket

PROBE = ".muniment-probe-"
PROBES = "probes/"
"""Where objects of a bucket lie that were made to try it out."""
_NO_TEXT = re.compile("[\ud800-\udfff]")
"""What Python makes of a byte that is not UTF-8."""
_CONTROL = re.compile("[\x00-\x1f\x7f]")
"""What the library under LanceDB takes in no path; all else it takes, as it was tried out."""
_NO_LINKS = {errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV}
"""What link() says of a file that we have just made, where it can never work."""
HINT = "choose a folder on a local disk with --home (FAT, exFAT and some network mounts lack what an index needs)"


def refuse_place(folder: Path) -> None:
    """Raises Refused where no index can be written safely, before anything is; the folder need not exist yet."""
    refuse_name(folder)
    if lacks := find_lacks(folder):
        raise Refused(f"the file system under '{folder}' has no {' and no '.join(lacks)}", HINT)


def refuse_name(folder: Path) -> None:
    """Raises Refused for a folder whose whole path LanceDB can't name."""
    for pattern, why in ((_NO_TEXT, "is not UTF-8"), (_CONTROL, "holds a control character")):
        if pattern.search(str(folder)):
            raise Refused(f"no index can lie in '{folder}': its path {why}", "choose another folder with --home")


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


def find_bucket_lacks(bucket: Bucket) -> list[str]:
    """The conditions of a put that a bucket does not heed, tried out on an object that is removed again.

    Raises ProviderReply for keys that may not write, and what the bucket raises.
    """
    name = f"{PROBES}{token_hex(8)}"
    first = bucket.replace(name, b"first", "")
    try:
        lacks = ["If-None-Match"] if _replaces(bucket, name, "") else []
        bucket.write(name, b"second")
        return [*lacks, *(["If-Match"] if _replaces(bucket, name, first) else [])]
    finally:
        bucket.remove([name])


def _replaces(bucket: Bucket, name: str, tag: str) -> bool:
    """Whether an object was replaced although it has another tag by now."""
    try:
        bucket.replace(name, b"third", tag)
    except Busy:
        return False
    return True


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
