"""What in an index folder nothing needs any more: found, and removed."""

from __future__ import annotations

import shutil
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from muniment.errors import ForeignIndex
from muniment.generation import BESIDE, FILES, HISTORY, history_file, reclaim
from muniment.store.cache import PREFIX, cache_name
from muniment.store.faults import translated
from muniment.store.manifest import VERSIONS, version_files, version_of
from muniment.store.sums import TABLES_FOLDER
from muniment.store.tables import connect, roll_back
from schemas.generations import Generation, TableVersion

CACHE_DAYS = 7
"""A cache of vectors that no kept generation uses may be what a killed run left for the next; so long it is left."""
_HINT = f"{VERSIONS}/latest_version_hint.json"


@dataclass(frozen=True, slots=True)
class Garbage:
    """A file or folder that nothing needs."""

    what: str
    path: Path
    size: int


def collect(index: Path, keep: int, *, dry: bool) -> list[Garbage]:
    """Removes what no kept generation, no reader and no next run needs, and returns it; `dry` only finds it.

    The caller holds the write lock. Raises ForeignIndex where a manifest is torn: what is needed can't be told then,
    and nothing is removed.
    """
    kept = reclaim(index, keep, dry=dry)
    found = [*_leftovers(index, kept)]
    for folder in sorted((index / TABLES_FOLDER).glob("*.lance")):
        found += _in_table(index, folder, kept, dry=dry)
    if not dry:
        for one in found:
            _remove(one.path)
    return found


def _leftovers(index: Path, kept: Iterable[Generation]) -> Iterator[Garbage]:
    """What was about to take the place of something when its run was killed, and lists of forgotten generations."""
    for path in [*index.glob(f".*{BESIDE}"), *index.glob(f"{HISTORY}/.*{BESIDE}"), *index.glob(f"seen/*{BESIDE}")]:
        yield Garbage("temporary files", path, path.stat().st_size)
    needed = {history_file(index, one.number).with_suffix(FILES) for one in kept}
    for path in set(index.glob(f"{HISTORY}/*{FILES}")) - needed:
        if not path.with_suffix(".json").exists():
            yield Garbage("temporary files", path, path.stat().st_size)


def _in_table(index: Path, folder: Path, kept: list[Generation], *, dry: bool) -> list[Garbage]:
    name = folder.stem
    if name.startswith(PREFIX):
        if name in {cache_name(one.fingerprint) for one in kept}:
            return _unused(folder, {_latest(folder)}, set())
        old = time.time() - folder.stat().st_mtime > CACHE_DAYS * 86_400
        return [Garbage("vectors of another embedder", folder, _size(folder))] if old else []
    numbers = defaultdict(set)
    for one in kept:
        for table in one.tables.values():
            if table.name == name:
                numbers[table.version].add(one.number)
    if not numbers:
        return [Garbage("tables of no generation", folder, _size(folder))]
    wanted = set(numbers)
    if not dry and _latest(folder) not in wanted:
        # What a killed run left is the newest version; the next one must not get its number again.
        with translated():
            roll_back(connect(index), TableVersion(name, max(wanted)))
        wanted |= {_latest(folder)}
    return _unused(folder, wanted, {f"g{number}" for group in numbers.values() for number in group})


def _unused(folder: Path, versions: set[int], tags: set[str]) -> list[Garbage]:
    """Files in a table's folder that none of these versions is read from."""
    needed = {_HINT, *(f"_refs/tags/{tag}.json" for tag in tags)}
    folders: set[str] = set()
    for version in versions:
        used = version_files(folder, version)
        needed |= {used.manifest, used.transaction, *used.files}
        folders |= set(used.folders)
    unused = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        inside = path.relative_to(folder)
        if inside.as_posix() not in needed and inside.parent.as_posix() not in folders:
            unused.append(Garbage("old versions", path, path.stat().st_size))
    return unused


def _latest(folder: Path) -> int:
    """The newest version that a table has. Raises ForeignIndex where it has none."""
    names = [path.name for path in (folder / VERSIONS).glob("[0-9]*.manifest")]
    if not names:
        raise ForeignIndex(f"'{folder.name}' has lost its versions", "mend it with 'muniment repair'")
    return max(map(version_of, names))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
        return
    path.unlink(missing_ok=True)
    if path.parent.parent.name == "_indices" and not any(path.parent.iterdir()):
        path.parent.rmdir()
