"""An index that machines share over a bucket: generations are pushed whole, and pulled whole.

What lies in the bucket, `pushed.py` says. A lineage is one folder on one machine: two writers never give two files the
same name.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from muniment.errors import ForeignIndex, NoIndex
from muniment.generation import pointer_text, publish, read_current, replace_whole
from muniment.inert import write_json
from muniment.store.bucket import Bucket, BucketChoice
from muniment.store.place import PROBES
from muniment.store.pushed import AGAIN, DATA, FORMAT, GENERATIONS, POINTER, parse_listed, read_published, refuse_schema
from muniment.store.sums import TABLES_FOLDER, Sum, read_sums, sum_file, write_sums
from muniment.store.writer import write_lock
from schemas.generations import Generation, TableVersion

STATE = ".shared.json"
"""In the index folder: what it has in common with the bucket."""


@dataclass(frozen=True, slots=True)
class State:
    """What a folder last pulled or pushed."""

    url: str
    lineage: str
    """Under which it pushes."""
    number: int
    file: str
    """The generation's object."""
    tag: str
    """Of the pointer then."""


def is_pushed(index: Path, url: str, number: int) -> bool:
    """Whether the folder's generation of this number was pushed to this url. Standard library only."""
    state = read_state(index, url)
    return state is not None and state.number == number


def read_state(index: Path, url: str) -> State | None:
    """What the folder has in common with the bucket at this url; None where that is nothing."""
    try:
        state = State(**json.loads((index / STATE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    return state if state.url == url else None


def push_generation(choice: BucketChoice, index: Path) -> str:
    """Makes the folder's published generation the bucket's, and returns its object's name.

    Only files that the bucket lacks are sent. Raises Busy when somebody else has published since this folder last
    pulled or pushed: their generation stays.
    """
    generation = read_current(index)
    if generation is None:
        raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
    bucket, state = Bucket(choice), read_state(index, choice.url)
    there = read_published(bucket) if state else None
    lineage = state.lineage if state else secrets.token_hex(8)
    sums = read_sums(index, generation)
    held = {} if there is None else {name: (there.lineage, one) for name, one in there.sums.items()}
    for name, one in sums.items():
        if held.get(name) != (lineage, one):
            bucket.write(f"{DATA}{lineage}/{name}", index / name)
    file = f"{GENERATIONS}{generation.number:08d}-{secrets.token_hex(4)}.json"
    listed = json.dumps(
        {
            "format": FORMAT,
            "generation": pointer_text(generation),
            "lineage": lineage,
            "after": state.file if state else "",
            "sums": sums,
        }
    ).encode()
    bucket.write(file, listed)
    pointer = {
        "format": FORMAT,
        "number": generation.number,
        "file": file,
        "sha256": hashlib.sha256(listed).hexdigest(),
    }
    tag = bucket.replace(POINTER, json.dumps(pointer).encode(), state.tag if state else "")
    _remember(index, State(choice.url, lineage, generation.number, file, tag))
    return file


def pull_generation(choice: BucketChoice, index: Path) -> Generation | None:
    """Makes the bucket's generation the folder's, where it is another one, and returns it; None where nothing changed.

    What the folder published and never pushed gives way; the cache of its vectors stays. Raises Busy when a run writes.
    """
    bucket, state = Bucket(choice), read_state(index, choice.url)
    there = read_published(bucket)
    if there is None or (state and state.file == there.file):
        return None
    refuse_schema(bucket, there)
    with write_lock(index):
        mine = read_current(index)
        if state and mine and state.lineage == there.lineage and mine.files == there.generation.files:
            # Ours, from a run that was killed after it had pushed.
            _remember(index, State(choice.url, there.lineage, mine.number, there.file, there.tag))
            return None
        number = max(there.generation.number, (mine.number if mine else 0) + 1)
        names = {table.name: f"{base}_{secrets.token_hex(6)}" for base, table in there.generation.tables.items()}
        sums = {_renamed(name, names): one for name, one in there.sums.items()}
        for name, one in there.sums.items():
            _fetch(bucket, f"{DATA}{there.lineage}/{name}", index / _renamed(name, names), one)
        tables = {
            base: TableVersion(names[table.name], table.version) for base, table in there.generation.tables.items()
        }
        pulled = there.generation._replace(number=number, tables=tables, files=write_sums(index, number, sums))
        publish(index, pulled)
        # A lineage of its own: what is written from here on is not what their folder writes.
        _remember(index, State(choice.url, secrets.token_hex(8), number, there.file, there.tag))
    return pulled


def collect_shared(choice: BucketChoice, keep: int, spare: timedelta, *, dry: bool = False) -> tuple[int, int]:
    """How many objects were removed that the newest `keep` generations do not need, and their bytes.

    Objects younger than `spare` stay: somebody may be pushing what they belong to. `dry` removes none.
    """
    bucket = Bucket(choice)
    there = read_published(bucket)
    if there is None:
        return 0, 0
    files = sorted((one.name for one in bucket.find(GENERATIONS) if one.name <= there.file), reverse=True)
    kept = {there.file, *files[:keep]}
    needed = set(kept)
    for name in kept:
        if listed := bucket.read(name):
            one = parse_listed(listed[0], bucket, name)
            needed |= {f"{DATA}{one.lineage}/{path}" for path in one.sums}
    before = datetime.now(UTC) - spare
    orphans = [
        one for under in (GENERATIONS, DATA, PROBES) for one in bucket.find(under)
        if one.name not in needed and one.written_at <= before
    ]  # fmt: skip
    if not dry:
        bucket.remove([one.name for one in orphans])
    return len(orphans), sum(one.size for one in orphans)


def _fetch(bucket: Bucket, name: str, path: Path, expected: Sum) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    bucket.fetch(name, path)
    if sum_file(path) != expected:
        shutil.rmtree(path.parent, ignore_errors=True)
        raise ForeignIndex(f"'{name}' in '{bucket.url}' is not what was pushed", AGAIN)


def _renamed(name: str, names: dict[str, str]) -> str:
    """The path of a file in its table's folder of another name."""
    folder, table, rest = name.split("/", 2)
    assert folder == TABLES_FOLDER
    return f"{folder}/{names[table.removesuffix('.lance')]}.lance/{rest}"


def _remember(index: Path, state: State) -> None:
    replace_whole(index / STATE, write_json(asdict(state)).encode())
