"""A chunk that words or vectors brought up, and what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Candidate:
    """One chunk on its way through the ranking; `score` and what follows it are filled in there."""

    row: Mapping[str, Any]
    """Columns of the chunk: at least path, line_start, source, kind, section, title, context and text."""
    lexical_rank: int | None = None
    vector_rank: int | None = None
    lexical: float = 0.0
    """BM25, of no fixed scale."""
    cosine: float | None = None
    """None where the question or the chunk has no vector."""
    score: float = 0.0
    """Orders the candidates of one question; of no meaning outside it."""
    boosts: dict[str, float] = field(default_factory=dict)
    """Name -> what it added to the score."""
    coverage: float = 0.0
    """Share of the question's words that the chunk holds, each weighed by how rare it is among the candidates."""
