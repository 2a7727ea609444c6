"""What lies in a bucket that an index is shared over: the pointer, generations, and the files of each.

`data/LINEAGE/...` never changes. `generations/NUMBER-TOKEN.json` says which files a generation is read from, and which
one it was published after. `current.json` names one of those, and is replaced only by who saw the one before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.errors import ForeignIndex, IndexMismatch, NoIndex
from muniment.generation import parse_generation
from muniment.store.bucket import Bucket
from muniment.store.sums import TABLES_FOLDER, Damage, Sum
from schemas.generations import Generation
from schemas.versions import SCHEMA_VERSION

POINTER = "current.json"
GENERATIONS = "generations/"
DATA = "data/"
FORMAT = "muniment-shared"
AGAIN = "build and push it anew with 'muniment index --force', where it is written"
"""What mends objects of a generation; a writer sends only what the bucket never had."""
ANEW = "choose another prefix for scale.url, and push to that with 'muniment index'"
"""What is left where a bucket no longer says what it holds."""


@dataclass(frozen=True, slots=True)
class Published:
    """A generation in a bucket."""

    generation: Generation
    lineage: str
    sums: dict[str, Sum]
    file: str
    after: str
    """The file of the generation that it took the place of; empty for the first one, and where nobody noted it."""
    tag: str = ""
    """Of the pointer, where that names it."""


def read_published(bucket: Bucket, known: Published | None = None) -> Published | None:
    """What the bucket names as current; None where nothing was ever pushed. Raises ForeignIndex for what is torn.

    One request as long as that is the one already known, else two.
    """
    while found := bucket.read(POINTER):
        raw, tag = found
        pointer = _loads(raw, bucket, POINTER, {"file", "sha256"})
        if known and known.file == pointer["file"]:
            return known
        listed = bucket.read(pointer["file"])
        if listed is None:
            if bucket.read(POINTER) != found:
                continue  # collected between the two reads: a newer one is published
            raise ForeignIndex(f"'{bucket.url}' has lost '{pointer['file']}'", ANEW)
        if hashlib.sha256(listed[0]).hexdigest() != pointer["sha256"]:
            raise ForeignIndex(f"'{pointer['file']}' in '{bucket.url}' is torn", ANEW)
        return parse_listed(listed[0], bucket, pointer["file"], tag)
    return None


def need_published(bucket: Bucket, known: Published | None = None) -> Published:
    """As `read_published`, but raises NoIndex where nothing was ever pushed."""
    found = read_published(bucket, known)
    if found is None:
        raise NoIndex(f"nothing was pushed to '{bucket.url}' yet", "run 'muniment index' where it is written")
    return found


def refuse_schema(bucket: Bucket, published: Published) -> None:
    """Raises IndexMismatch for tables that this muniment can't read."""
    if (schema := published.generation.schema) != SCHEMA_VERSION:
        raise IndexMismatch(
            f"'{bucket.url}' has schema {schema}, this muniment reads {SCHEMA_VERSION}",
            "install the same muniment on every machine",
        )


def earlier_published(bucket: Bucket, published: Published) -> Iterator[Published]:
    """The generations that were current before this one and are still kept, newest first, a request each.

    Not by a listing: that also holds what was pushed by runs that another one overtook, under the same numbers.
    """
    # Names begin with numbers, which only grow: what was tampered with goes round in no circle.
    while published.after < published.file and (listed := bucket.read(published.after) if published.after else None):
        published = parse_listed(listed[0], bucket, published.after)
        yield published


def find_damage(bucket: Bucket, published: Published, *, deep: bool) -> Iterator[Damage]:
    """The generation's objects that are lost or of another size; with `deep` also those of another SHA-256.

    One listing of the lineage, and with `deep` every object is fetched and nothing of it kept.
    """
    under = f"{DATA}{published.lineage}/"
    sizes = {one.name: one.size for one in bucket.find(under)}
    for name, expected in published.sums.items():
        size = sizes.get(under + name)
        if size is None:
            yield Damage(name, "is not in the bucket")
        elif size != expected.size:
            yield Damage(name, f"has {size:,} bytes, {expected.size:,} were pushed")
        elif deep and _digest(bucket, under + name) != expected.sha256:
            yield Damage(name, "is not what was pushed: its checksum differs")


def parse_listed(listed: bytes, bucket: Bucket, file: str, tag: str = "") -> Published:
    """The generation that an object of this name lists. Raises ForeignIndex for what is torn."""
    values = _loads(listed, bucket, file, {"generation", "lineage", "sums"})
    sums = {name: Sum(*kept) for name, kept in values["sums"].items()}
    if not all(_lies_in_tables(name) for name in sums):
        raise _torn(bucket, file)  # a pull would write it elsewhere
    generation = parse_generation(values["generation"], Path(file))
    return Published(generation, values["lineage"], sums, file, values.get("after", ""), tag)


def _digest(bucket: Bucket, name: str) -> str:
    made = hashlib.sha256()
    for part in bucket.stream(name):
        made.update(part)
    return made.hexdigest()


def _lies_in_tables(name: str) -> bool:
    folder, *rest = name.split("/")
    return folder == TABLES_FOLDER and len(rest) > 1 and not {"", ".", ".."} & set(rest)


def _loads(raw: bytes, bucket: Bucket, name: str, keys: set[str]) -> dict[str, Any]:
    try:
        values: dict[str, Any] = json.loads(raw)
        if values["format"] != FORMAT or not keys <= values.keys():
            raise ValueError
    except (ValueError, KeyError, TypeError) as error:
        raise _torn(bucket, name) from error
    return values


def _torn(bucket: Bucket, name: str) -> ForeignIndex:
    return ForeignIndex(f"'{name}' in '{bucket.url}' is torn, or was not written by this muniment", ANEW)
