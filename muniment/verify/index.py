"""One verification from end to end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from muniment.errors import ForeignIndex, IndexMismatch
from muniment.generation import kept_generations
from muniment.store.audit import take_up, unreadable
from muniment.store.sums import Sum, find_damage, read_sums, table_folder
from muniment.verify.found import Finding, Remedy, Verified, looked_twice
from muniment.verify.ledger import check_ledger
from muniment.verify.pointer import held, published
from muniment.verify.rows import Held, count_rows, read_rows
from muniment.verify.seen import check_seen
from muniment.verify.slices import compare_slices
from muniment.verify.vectors import Vectors
from muniment.verify.words import check_words
from schemas.generations import Generation
from schemas.versions import SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class Place:
    """Where an index and what belongs to it are kept."""

    index: Path
    runs: Path
    """Folder of the records of runs."""
    seen: Path
    """Folder in the index of what runs saw of the sources."""


def verify_index(place: Place, *, deep: bool = False) -> Verified:
    """What is wrong with the published generation; with `deep` every byte that readers use is read.

    It looks at documents that are withheld as at all others, and names none of them. Raises NoIndex where nothing was
    ever published, IndexMismatch for an index of another schema.
    """
    index = place.index
    while True:
        generation, findings = published(index)
        if generation is None:
            return Verified(0, deep, findings)
        if generation.schema != SCHEMA_VERSION:
            raise IndexMismatch(
                f"index at '{index}' has schema {generation.schema}, this muniment reads {SCHEMA_VERSION}",
                "rebuild it with 'muniment index --force'",
            )
        with held(index, generation.number) as still_there:
            if still_there or findings:
                return _verify(place, generation, Verified(generation.number, deep, findings))


def _verify(place: Place, generation: Generation, found: Verified) -> Verified:
    index = place.index
    damaged = _check_files(index, generation, found)
    if damaged:
        # Rows are not read: an engine may do more than raise at damaged bytes. The cache is another table.
        Vectors(index, generation, found)
    else:
        try:
            rows = read_rows(index, generation, found)
            found.findings += count_rows(generation, rows, found.extent)
            compare_slices(generation, rows, found)
            _check_words(index, generation, rows, found)
        except ForeignIndex as error:
            found.findings.append(Finding("rows", "tables", error.message, remedy="table"))
            found.extent.tables |= unreadable(index, generation)
        for table in generation.tables.values():
            try:
                looked_twice(partial(take_up, index, table.name))
            except ForeignIndex as error:
                found.findings.append(Finding("files", f"tables/{table.name}.lance", error.message, remedy="marks"))
    check_ledger(place.runs, generation, found)
    found.findings += check_seen(index, place.seen, generation)
    return found


def _check_words(index: Path, generation: Generation, rows: Held, found: Verified) -> None:
    try:
        check_words(index, generation, rows, found)
    except ForeignIndex as error:
        table = generation.tables["chunks"].name
        found.findings.append(Finding("words", table, error.message, remedy="search index"))


def _check_files(index: Path, generation: Generation, found: Verified) -> bool:
    """Books what is wrong with the files of a generation, and of those kept besides; says whether anything is."""
    if not generation.files:
        found.unchecked["files"] = "they were published by a muniment that kept no checksums"
    sums: dict[str, Sum] = {}
    try:
        sums = read_sums(index, generation)
    except ForeignIndex as error:
        found.findings.append(Finding("files", "generations", error.message, remedy="publish again"))
    damage = list(find_damage(index, sums, deep=found.deep))
    found.looked |= {"files": len(sums), "bytes": sum(one.size for one in sums.values())}
    for one in damage:
        found.findings.append(Finding("files", one.path, one.said, remedy=_remedy(one.path)))
        if _remedy(one.path) == "table":
            folders = {table_folder(index, table.name): name for name, table in generation.tables.items()}
            found.extent.tables.add(next(folders[folder] for folder in (index / one.path).parents if folder in folders))
    if found.deep:
        _check_earlier(index, generation, sums, found)
    return bool(damage)


def _remedy(path: str) -> Remedy:
    return "search index" if "/_indices/" in path else "table"


def _check_earlier(index: Path, generation: Generation, known: dict[str, Sum], found: Verified) -> None:
    """The files that only an earlier generation is read from."""
    for earlier in kept_generations(index):
        if earlier.number == generation.number:
            continue
        with held(index, earlier.number) as still_there:
            if not still_there:
                continue
            try:
                own = {name: one for name, one in read_sums(index, earlier).items() if name not in known}
            except ForeignIndex as error:
                found.findings.append(Finding("files", "generations", error.message, remedy="give up"))
                continue
            for one in find_damage(index, own, deep=True):
                said = f"{one.said} (generation {earlier.number})"
                found.findings.append(Finding("files", one.path, said, remedy="give up"))
            known |= own
