"""Versions of tables that can't be read, and that stand in a writer's way though nobody needs them.

The caller holds the write lock.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from muniment.errors import ForeignIndex
from muniment.generation import forget, history_file, kept_generations
from muniment.store.cache import PREFIX
from muniment.store.manifest import VERSIONS, manifest_name, version_files, version_of
from muniment.store.sums import TABLES_FOLDER, Sum, find_damage, read_sums
from schemas.generations import Generation


def mend_versions(index: Path, published: Generation) -> list[int]:
    """Removes damaged versions of tables, and with them the generations that nobody reads of those; returns these.

    A writer reads every version that lies in a table's folder, needed or not. The published ones are left.
    """
    torn = _torn_manifests(index) - set(_manifests(published))
    earlier = (one for one in kept_generations(index) if one.number != published.number)
    damaged = [one.number for one in earlier if not torn.isdisjoint(_manifests(one))]
    gone = [number for number in damaged if forget(history_file(index, number))]
    for name in torn:
        (index / name).unlink(missing_ok=True)
    return gone


def _manifests(generation: Generation) -> Iterator[str]:
    for table in generation.tables.values():
        yield f"{TABLES_FOLDER}/{table.name}.lance/{manifest_name(table.version)}"


def _torn_manifests(index: Path) -> set[str]:
    """Manifests that are not what was written, or of which that is not known and that can't be read; all others but
    the newest one of a cache, which is mended as a whole."""
    sums: dict[str, Sum] = {}
    for one in kept_generations(index):
        with contextlib.suppress(ForeignIndex):
            sums |= {name: kept for name, kept in read_sums(index, one).items() if f"/{VERSIONS}/" in name}
    torn = {damage.path for damage in find_damage(index, sums, deep=True)}
    for folder in (index / TABLES_FOLDER).glob("*.lance"):
        newest_first = sorted((folder / VERSIONS).glob("[0-9]*.manifest"))
        for path in newest_first[1:] if folder.name.startswith(PREFIX) else newest_first:
            name = path.relative_to(index).as_posix()
            if name not in sums and not _parses(folder, path.name):
                torn.add(name)
    return torn


def _parses(folder: Path, manifest: str) -> bool:
    try:
        version_files(folder, version_of(manifest))
    except ForeignIndex:
        return False
    return True
