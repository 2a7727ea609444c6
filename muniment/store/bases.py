"""What a damaged table can begin with: the version of an earlier generation whose files are whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from muniment.errors import ForeignIndex
from muniment.generation import kept_generations
from muniment.store.audit import take_up
from muniment.store.sums import find_damage, is_whole, read_sums, table_folder
from schemas.generations import Generation, TableVersion

CUT = ("documents", "chunks", "skipped")
"""Tables that are made of the files of the sources; the writer carries the others over by itself."""


class Base(NamedTuple):
    """A version to go on from."""

    table: TableVersion
    documents: TableVersion
    """Of the same generation: they say of which content its rows are."""


def find_bases(index: Path, published: Generation, tables: Collection[str]) -> dict[str, Base]:
    """The newest version to go on from, of each of these tables that are cut from files, where there is one."""
    earlier = [one for one in kept_generations(index) if _is_like(one, published)]
    found = {name: _find(index, published, earlier, name) for name in CUT if name in tables}
    return {name: base for name, base in found.items() if base}


def _is_like(earlier: Generation, published: Generation) -> bool:
    """Whether its rows could stand in the published tables."""
    same = ("schema", "fingerprint", "dimension", "chunker")
    return bool(
        earlier.number < published.number
        and earlier.files
        and all(getattr(earlier, name) == getattr(published, name) for name in same)
    )


def _find(index: Path, published: Generation, earlier: list[Generation], name: str) -> Base | None:
    for one in earlier:
        found = Base(one.tables[name], one.tables["documents"])
        if all(is_whole(index, one, own) for own in (name, "documents")) and _can_grow(index, published, found.table):
            return found
    return None


def _can_grow(index: Path, published: Generation, base: TableVersion) -> bool:
    """Whether a writer can go on from this version: what it names as the newest of its table has to be readable."""
    try:
        take_up(index, base.name)
        return not any(_torn_versions(index, published, base.name))
    except ForeignIndex:
        return False


def _torn_versions(index: Path, published: Generation, name: str) -> Iterator[str]:
    """Damaged manifests of the table: a writer reads the newest one, though nothing else of that version."""
    folder = table_folder(index, name).relative_to(index).as_posix()
    sums = {path: one for path, one in read_sums(index, published).items() if path.startswith(f"{folder}/_versions/")}
    yield from (damage.path for damage in find_damage(index, sums, deep=True))
