"""A checksum of each file that a generation is read from.

LanceDB keeps none: of 38 flipped bits, 35 were read without a word. Its files never change once they are written, so
a run reads only those that are new, and damage is never taken for what was written. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from muniment.errors import ForeignIndex
from muniment.generation import FILES, MEND, history_file, replace_whole
from muniment.store.manifest import version_files
from schemas.generations import Generation, TableVersion

TABLES_FOLDER = "tables"
SUM_DIGITS = 16
"""Of SHA-256, for what is kept with every row; a bit that flips by chance needs no more."""


class Sum(NamedTuple):
    """What a file has to be."""

    size: int
    sha256: str


class Damage(NamedTuple):
    """A file that is not what it has to be; `path` is relative to the index."""

    path: str
    said: str


def sum_files(index: Path, tables: Mapping[str, TableVersion], known: Mapping[str, Sum]) -> dict[str, Sum]:
    """Path relative to the index -> checksum of every file that these versions are read from.

    Known files are not read again. Raises ForeignIndex when one is lost.
    """
    return {
        name: known[name] if name in known else sum_file(index / name)
        for table in tables.values()
        for name in read_from(index, table)
    }


def read_from(index: Path, table: TableVersion) -> Iterator[str]:
    """The files that one version of a table is read from, relative to the index. Raises ForeignIndex."""
    folder = table_folder(index, table.name)
    version = version_files(folder, table.version)
    inside = [folder / name for name in (version.manifest, *version.files)]
    inside += [path for name in version.folders for path in sorted((folder / name).iterdir())]
    yield from (path.relative_to(index).as_posix() for path in inside)


def table_folder(index: Path, name: str) -> Path:
    """The folder that holds all versions of a table."""
    return index / TABLES_FOLDER / f"{name}.lance"


def sum_file(path: Path) -> Sum:
    """Size and SHA-256 of a file. Raises ForeignIndex when it is not there."""
    try:
        with path.open("rb") as handle:
            return Sum(path.stat().st_size, hashlib.file_digest(handle, "sha256").hexdigest())
    except FileNotFoundError as error:
        raise ForeignIndex(f"the index has lost '{path.name}'", MEND) from error


def write_sums(index: Path, number: int, sums: Mapping[str, Sum]) -> str:
    """Keeps the list beside the generation's own file and returns the list's checksum."""
    raw = (json.dumps(sums, indent=0, sort_keys=True) + "\n").encode()
    replace_whole(_list_file(index, number), raw)
    return hashlib.sha256(raw).hexdigest()


def read_sums(index: Path, generation: Generation) -> dict[str, Sum]:
    """The list as it was written; empty for a generation without one. Raises ForeignIndex when it is lost or torn."""
    if not generation.files:
        return {}
    path = _list_file(index, generation.number)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ForeignIndex(f"can't read '{path}': {error.strerror}", MEND) from error
    if hashlib.sha256(raw).hexdigest() != generation.files:
        raise ForeignIndex(f"'{path}' is torn", MEND)
    return {name: Sum(*kept) for name, kept in json.loads(raw).items()}


def find_damage(index: Path, sums: Mapping[str, Sum], *, deep: bool) -> Iterator[Damage]:
    """The files that are lost or of another size; with `deep` also those whose bytes are not those written."""
    for name, expected in sums.items():
        path = index / name
        try:
            size = path.stat().st_size
        except OSError as error:
            yield Damage(name, f"can't be read: {error.strerror}")
            continue
        if size != expected.size:
            yield Damage(name, f"has {size:,} bytes, {expected.size:,} were written")
        elif deep and sum_file(path) != expected:
            yield Damage(name, "is not what was written: its checksum differs")


def is_whole(index: Path, generation: Generation, table: str = "") -> bool:
    """Whether every file of a generation, or of one of its tables, is what was written; True where no list was kept."""
    inside = f"{TABLES_FOLDER}/{generation.tables[table].name}.lance/" if table else ""
    try:
        sums = {name: one for name, one in read_sums(index, generation).items() if name.startswith(inside)}
    except ForeignIndex:
        return False
    return not any(find_damage(index, sums, deep=True))


def _list_file(index: Path, number: int) -> Path:
    return history_file(index, number).with_suffix(FILES)
