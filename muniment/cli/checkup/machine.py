"""The machine: Python, packages, git, the home's disk and file system, the clock."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from muniment import __version__, gitrun
from muniment.cli.checkup.case import FAIL, OK, WARN, Case, Check
from muniment.errors import MunimentError
from muniment.store.place import HINT, find_lacks, refuse_name
from muniment.worded import counted

TIGHT_DISK = 500_000_000
NO_DISK = 50_000_000
KNOWS_BARE = (2, 38)
"""The git that knows safe.bareRepository."""
_CLOCK_SLACK = timedelta(minutes=5)
_DEV = {"dev"}


def python(_case: Case) -> Iterator[Check]:
    """The interpreter, and this muniment."""
    state = OK if sys.version_info >= (3, 11) else FAIL
    said = f"{sys.version.split()[0]}, muniment {__version__}"
    yield Check("python", state, said, "muniment needs Python 3.11 or newer")


def packages(_case: Case) -> Iterator[Check]:
    """Whether what is installed is what muniment was made for; and the extras, which need not be there."""
    from packaging.requirements import Requirement

    extras: dict[str, set[str]] = {}
    wrong = []
    for line in importlib.metadata.requires("muniment") or ():
        wanted = Requirement(line)
        extra = next(iter(re.findall(r"extra == ['\"]([\w-]+)", line)), "")
        if extra in _DEV or (wanted.marker and not wanted.marker.evaluate({"extra": extra})):
            continue
        found = _version(wanted.name)
        if extra:
            extras.setdefault(extra, set()).update({wanted.name} if found is None else ())
        elif found is None or not wanted.specifier.contains(found, prereleases=True):
            wrong.append(f"{wanted.name} {found or 'is missing'} (wanted: {wanted.specifier})")
    if wrong:
        yield Check("packages", FAIL, "; ".join(wrong), "install muniment again, from its lock file")
    else:
        yield Check("packages", OK, "as muniment wants them")
    for extra, missing in extras.items():
        said = f"not installed: {', '.join(sorted(missing))}" if missing else "installed"
        yield Check("extra", OK, f"[{extra}] {said}")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def git(case: Case) -> Iterator[Check]:
    """Whether git is there, and how old it is."""
    found = shutil.which("git")
    try:
        said = gitrun.run(str(case.standing), "version").decode().strip()
    except MunimentError as error:
        yield Check("git", FAIL, error.message, error.hint)
        return
    numbers = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    old = numbers < KNOWS_BARE
    hint = "a git from 2.38 on protects more; index no stranger's repository with this one"
    yield Check("git", WARN if old else OK, f"{said.removeprefix('git ')} at {found}", hint)


def home(case: Case) -> Iterator[Check]:
    """Whether the home can be written."""
    place = case.standing
    # The index may be a mount of its own.
    closed = [folder for folder in (case.index, place) if _is_closed(folder)]
    if closed:
        read_only = bool(os.statvfs(closed[0]).f_flag & os.ST_RDONLY)
        why = "lies on a file system that is read-only" if read_only else "can't be written by this user"
        hint = "searches still work; mount it for writing, or choose another with --home"
        hint = hint if read_only else "check its owner, or choose another: --home"
        yield Check("home", FAIL, f"{closed[0]} {why}", hint)
        return
    yield Check("home", OK, f"{case.home}" if place == case.home else f"{case.home} (will be made)")
    if os.geteuid() == 0 and place.stat().st_uid != 0:
        said = "belongs to another user, and what root writes there, that user can't write again"
        yield Check("home", WARN, f"{place} {said}", "run muniment as the user who owns it")


def _is_closed(folder: Path) -> bool:
    return folder.exists() and not os.access(folder, os.W_OK | os.X_OK)


def file_system(case: Case) -> Iterator[Check]:
    """Whether the home's path and file system are what an index needs."""
    refuse_name(case.index)
    if lacks := find_lacks(case.index):
        yield Check("filesystem", FAIL, f"under the home has no {' and no '.join(lacks)}", HINT)
    else:
        yield Check("filesystem", OK, "has hard links and locks")


def disk(case: Case) -> Iterator[Check]:
    """Whether there is room for a rebuild, which keeps the old index until it is done."""
    free = shutil.disk_usage(case.standing).free
    held = sum(_sizes(case.index))
    said = f"{_size(free)} free; the index takes {_size(held)}" if held else f"{_size(free)} free"
    hint = "free some room: a rebuild needs twice the index, and runs end with 75 when none is left"
    state = FAIL if free < NO_DISK else WARN if free < max(TIGHT_DISK, 2 * held) else OK
    yield Check("disk", state, said, hint)


def _sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(f"{place}/{name}").st_size
            except FileNotFoundError:
                continue  # reclaimed meanwhile


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def clock(case: Case) -> Iterator[Check]:
    """Whether the clock is behind what it once said."""
    if not case.generation:
        yield Check("clock", OK, f"{case.now:%Y-%m-%d %H:%M} UTC")
        return
    ahead = datetime.fromisoformat(case.generation.published_at) - case.now
    if ahead > _CLOCK_SLACK:
        days = f"{counted(ahead.days, 'day')} " if ahead.days else ""
        said = f"says {case.now:%Y-%m-%d %H:%M} UTC, {days}before generation {case.generation.number} was published"
        yield Check("clock", WARN, said, "set the clock (timedatectl); the index itself does not mind")
    else:
        yield Check("clock", OK, f"{case.now:%Y-%m-%d %H:%M} UTC")
