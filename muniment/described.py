"""What is stated of documents that were found: namespace, date, correspondent and tags go with every hit and answer.

Apart from the search itself, as `freshness.py` is; surfaces that show what was found ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

from muniment.store.reader import Filter, Reader
from schemas.answers import Results
from schemas.cited import Answer, Excerpt
from tasks.identify import doc_id

if TYPE_CHECKING:
    from datetime import datetime

COLUMNS = ("namespace", "doc_date", "correspondent", "tags")
"""Of documents, with the fields of the same names in hits, excerpts and chunks."""


class About(TypedDict):
    """What hits and excerpts say of their document."""

    namespace: str | None
    doc_date: str | None
    correspondent: str | None
    tags: tuple[str, ...]


UNDESCRIBED: About = {"namespace": None, "doc_date": None, "correspondent": None, "tags": ()}


def describe_results(reader: Reader, results: Results) -> Results:
    """The results, each hit with what is stated of its document."""
    about = describe(reader, results.hits)
    return replace(results, hits=tuple(replace(hit, **about(hit)) for hit in results.hits))


def describe_answer(reader: Reader, answer: Answer) -> Answer:
    """The answer, its citations and excerpts with what is stated of their documents."""
    about = describe(reader, (*answer.excerpts, *answer.citations))

    def told(excerpts: Iterable[Excerpt]) -> tuple[Excerpt, ...]:
        return tuple(replace(one, **about(one)) for one in excerpts)

    return replace(answer, excerpts=told(answer.excerpts), citations=told(answer.citations))


def describe(reader: Reader, found: Iterable[Any]) -> Callable[[Any], About]:
    """What is stated of the document of each of these hits, excerpts or chunks; of a repository's, nothing is."""
    sources = reader.generation.sources
    ids = {doc_id(one.source, one.path) for one in found if sources[one.source].kind != "git"}
    rows = reader.rows("documents", ["doc_id", *COLUMNS], Filter(doc_ids=tuple(sorted(ids)))).to_pylist() if ids else []
    told = {row["doc_id"]: as_told(row) for row in rows}
    return lambda one: told.get(doc_id(one.source, one.path), UNDESCRIBED)


def as_told(row: Mapping[str, Any]) -> About:
    """The columns of a document's row as they are shown."""
    day: datetime | None = row["doc_date"]
    return {
        "namespace": row["namespace"],
        "doc_date": day.date().isoformat() if day else None,
        "correspondent": row["correspondent"],
        "tags": tuple(row["tags"].split(", ")) if row["tags"] else (),
    }
