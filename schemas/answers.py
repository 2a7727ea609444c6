"""What a search returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemas.claims import Dispute


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers, with where it stands and why it was found."""

    chunk_id: str
    source: str
    path: str
    line_start: int
    line_end: int
    kind: str
    type: str
    section: str
    title: str
    heading_path: str
    text: str
    """Verbatim."""
    relevance: float
    """How probable it is that this answers the question, 0..1; of one meaning in every mode (docs/decisions/005)."""
    lexical_rank: int | None
    """Place in the full-text list, from 1; None where that list does not hold it."""
    vector_rank: int | None
    changed_since_index: bool | None = None
    """Whether the file is no longer the one that was indexed; None where nobody looked, or nobody could."""
    gone: bool = False
    """Whether the file is not there any more; a gone file has changed."""
    disputes: tuple[Dispute, ...] = ()
    """Claims that disagree with their truth, where either of the two lines is in this hit."""
    namespace: str | None = None
    """Of its document, as the next three: what a note belongs to, a mission for example."""
    doc_date: str | None = None
    """The document's own date, as 2026-01-31."""
    correspondent: str | None = None
    """Who wrote it, or whom it was written to."""
    tags: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """`path:line` of other places where the very same text stands."""
    boosts: Mapping[str, float] = field(default_factory=dict)
    """Name -> what it added to the score: exact, coverage, definition, contents, used, or a form of
    `ranking/intent.py`."""


@dataclass(frozen=True, slots=True)
class Results:
    """The answer to one query, read from one generation."""

    query: str
    mode: str
    """hybrid, lexical or vector."""
    generation: int
    chunks: int
    pending: int
    """Chunks that could be found by their words only, since their vectors have not landed."""
    hits: tuple[Hit, ...]
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Source -> why its files could not be compared with what is indexed of them."""
    words_only: str = ""
    """Why the question was searched by its words alone although vectors were wanted; empty where it was not."""
