"""What surfaces show of an index besides what a question finds: a chunk, what is indexed, what disagrees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from schemas.claims import Dispute
from schemas.nightly import SourceDrift


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
class ShownChunk(Chunk):
    """A chunk, and what is known against it."""

    generation: int
    changed_since_index: bool | None
    gone: bool
    disputes: tuple[Dispute, ...]
    namespace: str | None
    """Of its document, as the next three: what a note belongs to, a mission for example."""
    doc_date: str | None
    """The document's own date, as 2026-01-31."""
    correspondent: str | None
    """Who wrote it, or whom it was written to."""
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadChunk(ShownChunk):
    """A chunk between its neighbours, as they follow each other in the document."""

    before: tuple[Chunk, ...]
    after: tuple[Chunk, ...]


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
