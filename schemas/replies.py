"""What a surface returns for a question: what was found, and the assembly that it is logged as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemas.answers import Results
from schemas.cited import Answer
from schemas.claims import Dispute
from schemas.records import TotalAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched(Results):
    """A search as it is shown."""

    assembly: str
    """Its id in the log, by which feedback names it."""
    elapsed_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Answer):
    """An answer as it is shown."""

    assembly: str
    """Its id in the log, by which feedback names it."""
    elapsed_ms: float
    total: TotalAnswer | None = None
    """Where the question is of amounts: the sums, and what became of each document."""


@dataclass(frozen=True, slots=True)
class ContextPart:
    """One passage of a context; its text stands there."""

    chunk_id: str
    source: str
    path: str
    line_start: int
    line_end: int
    """Of what is shown."""
    kind: str
    type: str
    section: str
    title: str
    rank: int
    """Place in the search, from 1."""
    relevance: float
    tokens: int
    cut: bool
    """Whether the chunk goes on after these lines."""
    changed_since_index: bool | None
    gone: bool
    disputes: tuple[Dispute, ...]
    namespace: str | None = None
    """Of its document, as the next three: what a note belongs to, a mission for example."""
    doc_date: str | None = None
    """The document's own date, as 2026-01-31."""
    correspondent: str | None = None
    """Who wrote it, or whom it was written to."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A context for a question, within a budget."""

    question: str
    text: str
    """The parts, best first: a line such as `[manual] docs/restore.md:12-20`, notes of what is known against the
    passage, and its lines, in which what addresses the reader's software is blank."""
    parts: tuple[ContextPart, ...]
    tokens: int
    """Of the text, by an upper estimate."""
    max_tokens: int
    found: int
    """Passages that the search found; those that are no part did not fit, or were blank."""
    mode: str
    """hybrid, lexical or vector."""
    generation: int
    pending: int
    """Chunks that could be found by their words only."""
    assembly: str
    """Its id in the log, by which feedback names it."""
    elapsed_ms: float
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Source -> why its files could not be compared with what is indexed of them."""
    words_only: str = ""
    """Why the question was searched by its words alone although vectors were wanted; empty where it was not."""
