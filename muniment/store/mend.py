"""What can be mended in an index folder without reading a source. The caller of each holds the write lock."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from muniment.errors import ForeignIndex
from muniment.generation import (
    POINTER,
    forget,
    history_file,
    history_files,
    kept_generations,
    pointer_text,
    read_current,
    read_generation,
    replace_whole,
)
from muniment.store.audit import batches
from muniment.store.cache import VectorCache, cache_name, vectors_of
from muniment.store.faults import readable
from muniment.store.sums import is_whole, table_folder
from muniment.store.tables import connect
from muniment.store.writer import Writer
from schemas.generations import Generation


def mend_pointer(index: Path) -> str:
    """Makes the pointer and the file of the generation it names whole again; returns what was done, or nothing.

    Where neither can be read, nothing is published any more: the next run builds everything anew.
    """
    try:
        current = read_current(index)
    except ForeignIndex:
        current = None
    named, chosen = current, current or next(iter(kept_generations(index)), None)
    for path in history_files(index):
        if not _is_whole(path):
            path.unlink()
    if chosen is None:
        (index / POINTER).unlink(missing_ok=True)
        return "nothing that was published can be read: the pointer is forgotten"
    text = pointer_text(chosen).encode()
    wrong = [path for path in (history_file(index, chosen.number), index / POINTER) if not _holds(path, text)]
    for path in wrong:
        replace_whole(path, text)
    if named is None:
        return f"the pointer names generation {chosen.number} again, the newest that is whole"
    return "; ".join(f"{path.relative_to(index)} is written anew" for path in wrong)


def mend_tags(index: Path, generation: Generation) -> int:
    """Removes marks on versions that can't be read, and would stop a writer; returns how many. Runs set their own."""
    torn = 0
    for table in generation.tables.values():
        for path in (table_folder(index, table.name) / "_refs" / "tags").glob("*.json"):
            try:
                json.loads(path.read_bytes())["version"]
            except (ValueError, KeyError, TypeError):
                path.unlink()
                torn += 1
    return torn


def mend_cache(index: Path, generation: Generation, damaged: Collection[str]) -> int:
    """Drops what is damaged in the vector cache, and fills in what whole chunks have; returns how many those were.

    Chunks of the documents with these ids are damaged. A cache that can't be read at all is made anew.
    """
    if not generation.dimension:
        return 0
    try:
        with readable("the cache of vectors", ValueError):
            cache = VectorCache(connect(index), generation.fingerprint, generation.dimension)
            cache.drop_damaged()
    except ForeignIndex:
        shutil.rmtree(table_folder(index, cache_name(generation.fingerprint)))
        cache = VectorCache(connect(index), generation.fingerprint, generation.dimension)
    return _fill_in(index, generation, damaged, cache) if is_whole(index, generation, "chunks") else 0


def _fill_in(index: Path, generation: Generation, damaged: Collection[str], cache: VectorCache) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    filled, unsound = 0, pa.array(sorted(damaged), pa.string())
    for batch in batches(index, generation.tables["chunks"], ["doc_id", "embed_hash", "vector"]):
        there = batch.filter(pc.and_not(batch["vector"].is_valid(), pc.is_in(batch["doc_id"], value_set=unsound)))
        hashes: list[Any] = there["embed_hash"].to_pylist()
        known = set(cache.find(there["embed_hash"])["embed_hash"].to_pylist())
        lacking = {key: place for place, key in enumerate(hashes) if key not in known}
        cache.remember(list(lacking), vectors_of(there["vector"])[list(lacking.values())])
        filled += len(lacking)
    return filled


def give_up(index: Path, known: Collection[int]) -> tuple[list[int], list[int]]:
    """Gives up earlier generations that are `known` to be damaged, or have a file that is not what was written.

    Returns their numbers, and those of damaged ones that somebody still reads.
    """
    current, given_up, still_read = read_current(index), list[int](), list[int]()
    for earlier in kept_generations(index):
        if current is None or earlier.number == current.number:
            continue
        if earlier.number in known or not is_whole(index, earlier):
            gone = forget(history_file(index, earlier.number))
            (given_up if gone else still_read).append(earlier.number)
    return given_up, still_read


def republish(writer: Writer, keep: int, published_at: str, *, search_indexes: bool) -> Generation:
    """Publishes the tables as they are once more, with new checksums, and with new search indexes where asked."""
    assert writer.published
    old = writer.published
    writer.begin(old.fingerprint, old.dimension, beside=False)
    if search_indexes:
        writer.drop_search_indexes()
    tables = writer.seal(keep)
    writer.publish(old._replace(number=writer.number, published_at=published_at, tables=tables))
    writer.reclaim(keep)
    return writer.published


def _is_whole(path: Path) -> bool:
    try:
        read_generation(path)
    except ForeignIndex:
        return False
    return True


def _holds(path: Path, raw: bytes) -> bool:
    try:
        return path.read_bytes() == raw
    except OSError:
        return False
