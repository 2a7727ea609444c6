"""What is sent: the records of `schemas/`, field for field, and what HTTP adds to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.http.marks import marked
from muniment.shown import shown_as
from schemas.answers import Hit
from schemas.cited import Excerpt
from schemas.effectiveness import EffectivenessReport
from schemas.replies import Answered, Searched
from schemas.shown import Chunk


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDocument(Document):
    """A document with its chunks, by line."""

    generation: int
    changed_since_index: bool | None
    gone: bool
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(EffectivenessReport):
    """An evaluation that is now part of the index."""

    generation: int


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
