"""The bucket that an index is shared over: does it answer, what does it hold, does it keep two publishers apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from muniment.chosen import shared_bucket
from muniment.cli.checkup.case import FAIL, OK, WARN, Case, Check
from muniment.errors import ProviderReply
from muniment.store.bucket import ASKING, CHECKING, Bucket
from muniment.store.place import find_bucket_lacks
from muniment.worded import counted

NAME = "bucket"


def bucket(case: Case) -> Iterator[Check]:
    """Whether scale.url answers, with which generation, and whether what machines share over it is safe there."""
    choice = shared_bucket(case.settings)
    if choice is None:
        yield Check(NAME, OK, "none: the index is on this machine alone")
        return
    there = Bucket(choice, ASKING._replace(hint=CHECKING.hint))
    yield _held(case, there)
    yield _conditions(there, in_place=case.settings.scale.read_in_place)


def _held(case: Case, there: Bucket) -> Check:
    """What is published there; read in place, as a question would read it."""
    from muniment.store.pushed import read_published

    in_place = case.settings.scale.read_in_place
    published = read_published(there)
    if published is None:
        said = f"'{there.url}' answers, and nothing was pushed there yet"
        return Check(NAME, FAIL if in_place else OK, said, "push an index: run 'muniment index' where it is written")
    generation = published.generation
    told = sum(state.documents for state in generation.sources.values())
    age = _age(case.now - datetime.fromisoformat(generation.published_at))
    said = f"'{there.url}' holds generation {generation.number}, published {age} ago, {counted(told, 'document')}"
    if not in_place:
        return Check(NAME, OK, said)
    with case.generations.open() as reader:
        rows = reader.rows("documents", ["doc_id"]).num_rows
    if rows != told:
        return Check(NAME, FAIL, f"{said}; it holds {rows}", "see 'muniment verify --deep'")
    return Check(NAME, OK, f"{said}; read in place")


def _conditions(there: Bucket, *, in_place: bool) -> Check:
    try:
        lacks = find_bucket_lacks(there)
    except ProviderReply as error:
        if in_place:
            return Check(NAME, OK, "can't be written with these keys, and reading in place writes nothing")
        return Check(NAME, FAIL, f"can't be written: {error.message}", error.hint)
    if lacks:
        said = f"the store does not heed {' and '.join(lacks)}: of two machines that publish at once, one is lost"
        hint = "let one machine publish, or all of them with the Prefect engine, whose limit keeps them apart"
        return Check(NAME, WARN, said, hint)
    return Check(NAME, OK, "heeds conditional puts: of two machines that publish at once, one is told so")


def _age(passed: timedelta) -> str:
    hours = max(passed.total_seconds(), 0) / 3600
    if hours >= 48:
        return counted(int(hours / 24), "day")
    return counted(int(hours), "hour") if hours >= 2 else counted(int(hours * 60), "minute")
