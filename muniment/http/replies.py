"""What is sent: the records of `schemas/`, field for field, and what HTTP adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Self

from muniment.described import as_told
from muniment.http.marks import marked
from muniment.shown import shown_as
from schemas.answers import Hit
from schemas.cited import Excerpt
from schemas.claims import Dispute
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
    next_cursor: str
    """For the hits after these, of the same generation; empty at the end."""


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
    disagreements: tuple[Dispute, ...]
    """`disputes`, by the name under which other programs ask for them."""


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
    namespace: str | None
    doc_date: str | None
    """As 2026-01-31."""
    correspondent: str | None
    tags: tuple[str, ...]
    chunk_count: int
    indexed_at: datetime

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Self:
        """The document of a row with these columns."""
        return cls(**{**row, **as_told(row)})


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
    disputes: tuple[Dispute, ...]
    """Claims that disagree with their truth, where either of the two lines is in this document; by line."""
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(EffectivenessReport):
    """An evaluation that is now part of the index."""

    generation: int


@dataclass(frozen=True, slots=True)
class Report:
    """A report that can be opened in a browser."""

    name: str
    """drift: the last night's; quality: Data Docs, of the last night or `muniment quality --docs`."""
    title: str
    href: str
    """Of its first page, from the server's root."""
    written_at: str


@dataclass(frozen=True, slots=True)
class Reports:
    """The reports that there are."""

    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Access:
    """What whoever asks may do."""

    scope: Literal["read", "write"]
    expires_at: str | None
    """When the token stops being good; null for one that lasts, and without a token."""


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
