"""What is sent: the records of `schemas/`, field for field, and what HTTP adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal, TypeVar

from muniment.http.marks import marked
from schemas.answers import Hit
from schemas.cited import Excerpt
from schemas.claims import Dispute
from schemas.effectiveness import EffectivenessReport
from schemas.nightly import SourceDrift
from schemas.replies import Answered, Searched

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedHit(Hit):
    """A hit, and its text as HTML."""

    marked: str
    """The text, escaped, with `<mark>` around the question's words; empty unless `marks` asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReply(Searched):
    """What a search found."""

    hits: tuple[MarkedHit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedExcerpt(Excerpt):
    """An excerpt, and its text as HTML."""

    marked: str
    """The text, escaped, with `<mark>` around the question's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskReply(Answered):
    """An answer, or why there is none."""

    citations: tuple[MarkedExcerpt, ...]
    excerpts: tuple[MarkedExcerpt, ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan that was asked for."""

    run: str
    """Id of the run that was begun; of the one that made what is published, where there is nothing to do."""
    state: Literal["running", "unchanged"]
    generation: int
    """The published one; 0 where there is none yet."""


@dataclass(frozen=True, slots=True)
class KeptGeneration:
    """An earlier generation that can be read with `as_of`."""

    number: int
    published_at: str


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """What the index holds of one source."""

    name: str
    path: str
    kind: str
    worktree: bool
    commit: str
    documents: int
    chunks: int
    skipped: Mapping[str, int]
    """Reason -> files."""
    left_out: Mapping[str, int]
    """Type -> notes of a vault that are not indexed for their type."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The published generation."""

    number: int
    published_at: str
    schema: int
    fingerprint: str
    chunker: str
    embedder: str
    dimension: int
    pending: int
    pending_reason: str
    run: str
    """Id of the run that made it."""
    sources: Mapping[str, SourceStatus]
    kept: tuple[KeptGeneration, ...]
    age_s: float
    """Seconds since it was published."""
    running: str
    """Id of the run that this server has under way, or nothing."""


@dataclass(frozen=True, slots=True)
class Document:
    """A row of the table of documents."""

    doc_id: str
    source: str
    path: str
    kind: str
    type: str
    title: str
    sha256: str
    size: int
    commit: str | None
    encoding: str
    sensitivity: str | None
    doc_date: datetime | None
    chunk_count: int
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some documents of one generation, by source and path."""

    generation: int
    documents: tuple[Document, ...]
    total: int
    """Documents that the filters admit."""
    next_cursor: str
    """For the next page, of the same generation; empty at the end."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A row of the table of chunks, without what only the search needs."""

    chunk_id: str
    doc_id: str
    source: str
    path: str
    kind: str
    type: str
    section: str
    title: str
    heading_path: str
    line_start: int
    line_end: int
    text: str
    """Verbatim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDocument(Document):
    """A document with its chunks, by line."""

    generation: int
    changed_since_index: bool | None
    gone: bool
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChunk(Chunk):
    """A chunk, and what is known against it."""

    generation: int
    changed_since_index: bool | None
    gone: bool
    disputes: tuple[Dispute, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(EffectivenessReport):
    """An evaluation that is now part of the index."""

    generation: int


@dataclass(frozen=True, slots=True)
class Feedback:
    """Which chunks of an assembly were used."""

    assembly: str
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceClaims:
    """What became of the documented defaults of one source."""

    source: str
    counts: Mapping[str, int]
    """Claims by verdict."""
    disputes: tuple[Dispute, ...]
    """Those that disagree, by document and line."""


@dataclass(frozen=True, slots=True)
class LastNight:
    """The last nightly report's part on drift."""

    run: str
    started_at: str
    finished_at: str
    verdict: str
    drift: tuple[SourceDrift, ...]


@dataclass(frozen=True, slots=True)
class DriftReply:
    """Where documents and files disagree: as of the published generation, and as of the last night."""

    generation: int
    claims: tuple[SourceClaims, ...]
    night: LastNight | None
    """None where there was no night yet, or its report can't be read."""


@dataclass(frozen=True, slots=True)
class Alive:
    """That the process answers, or that it can answer questions."""

    status: Literal["ok"]


def marked_hit(hit: Hit, question: str, *, marks: bool) -> MarkedHit:
    """The hit with its text as HTML where that is wanted."""
    return shown_as(MarkedHit, hit, marked=marked(hit.text, question) if marks else "")


def marked_excerpts(excerpts: tuple[Excerpt, ...], question: str) -> tuple[MarkedExcerpt, ...]:
    """The excerpts with their texts as HTML."""
    return tuple(shown_as(MarkedExcerpt, one, marked=marked(one.text, question)) for one in excerpts)


def shown_as(kind: type[T], record: Any, **more: Any) -> T:
    """A reply with the record's fields of the same names, and the others as given."""
    names = [field.name for field in fields(kind) if field.name not in more]  # type: ignore[arg-type]  # a dataclass
    return kind(**{name: getattr(record, name) for name in names}, **more)


def columns_of(kind: type[Any]) -> list[str]:
    """The columns that a reply is a row of."""
    return [field.name for field in fields(kind)]
