"""One published state of the index, as the pointer and the history hold it.

Named tuples rather than dataclasses, whose import alone is a fifth of a run with nothing to do.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class TableVersion(NamedTuple):
    """Which table, and which version of it, a generation reads."""

    name: str
    version: int


class SourceState(NamedTuple):
    """What a generation holds of one source."""

    name: str
    path: str
    kind: str
    worktree: bool
    commit: str
    inputs: str
    """Digest of everything but the commit that decides what is indexed: settings, patterns, versions."""
    documents: int
    """What anybody is shown: without those that are withheld."""
    chunks: int
    skipped: dict[str, int]
    withheld: dict[str, int] = {}  # noqa: RUF012 - never changed
    """Sensitivity -> documents that readers pass over unless the operator admits them."""
    withheld_chunks: int = 0
    left_out: dict[str, int] = {}  # noqa: RUF012 - never changed
    """Type -> notes of a vault that are not indexed for their type."""
    secrets: int = 0
    """Parts of documents that are left out because they look like holding a key."""


class Generation(NamedTuple):
    """One published state of the index: everything a reader needs to know before it opens a table."""

    number: int
    published_at: str
    schema: int
    fingerprint: str
    chunker: str
    embedder: str
    """Name of the embedder that made the fingerprint, for messages."""
    dimension: int
    pending: int
    """Chunks that still wait for their vectors."""
    pending_reason: str
    run: str
    tables: dict[str, TableVersion]
    sources: dict[str, SourceState]
    files: str = ""
    """SHA-256 of the list of its files (`muniment/store/sums.py`); empty where none was kept."""


def admitting(generation: Generation) -> Generation:
    """The generation as it is to somebody from whom nothing is withheld."""
    sources = {
        name: state._replace(
            documents=state.documents + sum(state.withheld.values()),
            chunks=state.chunks + state.withheld_chunks,
            withheld={},
            withheld_chunks=0,
        )
        for name, state in generation.sources.items()
    }
    return generation._replace(sources=sources)


def as_json(generation: Generation) -> dict[str, Any]:
    """The generation as it stands in its file."""
    tables = {name: table._asdict() for name, table in generation.tables.items()}
    sources = {name: source._asdict() for name, source in generation.sources.items()}
    return {**generation._asdict(), "tables": tables, "sources": sources}
