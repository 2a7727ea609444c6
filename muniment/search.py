"""Search: words and vectors asked apart, fused into one score, filters applied inside both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from muniment.errors import UsageError
from muniment.store.reader import Filter, Reader
from schemas.answers import Hit, Results

if TYPE_CHECKING:
    from muniment.embedders import Embedder, Vectors

Mode = Literal["hybrid", "lexical", "vector"]

CANDIDATES = 100
"""How deep each list is read: as deep as the fusion was measured with."""
# Measured on 509 FAQ questions and 300 identifier queries: a convex score beat rank fusion on both, with these weights.
DENSE_WEIGHT = 0.7
DENSE_WEIGHT_IDENTIFIER = 0.4
_IDENTIFIER = re.compile(
    r"(?:(?<=\s)|^)(--?[a-z][\w-]+|\w+[_.]\w[\w.]*|[a-z]+[A-Z]\w*|[A-Z]{2,}[A-Z0-9_]{2,}|\w+-\w+-\w[\w-]*)"
)
_SHOWN = [
    "chunk_id",
    "source",
    "path",
    "line_start",
    "line_end",
    "kind",
    "type",
    "section",
    "title",
    "heading_path",
    "text",
    "text_hash",
]


@dataclass(slots=True)
class _Candidate:
    row: dict[str, Any]
    lexical_rank: int | None = None
    vector_rank: int | None = None
    lexical: float = 0.0
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for, and where."""

    words: str
    limit: int = 10
    mode: Mode = "hybrid"
    within: Filter = field(default_factory=Filter)
    paths: tuple[str, ...] = ()
    """Gitignore patterns; only documents whose path matches one are searched."""


def search(reader: Reader, question: Question, embedder: Embedder | None) -> Results:
    """The best hits for a question, best first; equal texts take one place and name every path.

    Without an embedder, or in an index without vectors, the mode falls back to lexical. Raises UsageError for a
    limit under 1 and what the embedder raises.
    """
    if question.limit < 1:
        raise UsageError(f"--limit must be at least 1 (it is {question.limit})")
    generation = reader.generation
    mode: Mode = question.mode if embedder and generation.dimension else "lexical"
    within = _with_paths(reader, question)
    found: dict[str, _Candidate] = {}
    words = question.words.strip()
    if words and mode != "vector":
        _add_lexical(found, reader, words, within, generation.dimension > 0)
    if words and embedder and mode != "lexical":
        _add_nearest(found, reader, embedder.embed([words], "query")[0], within)
    weight = {"lexical": 0.0, "vector": 1.0}.get(mode, _dense_weight(words))
    hits = _merged(_scored(found, weight))[: question.limit]
    return Results(
        query=question.words,
        mode=mode,
        generation=generation.number,
        chunks=sum(state.chunks for state in generation.sources.values()),
        pending=generation.pending,
        hits=tuple(hits),
    )


def _with_paths(reader: Reader, question: Question) -> Filter:
    from dataclasses import replace

    from tasks.classify import admits

    if not question.paths:
        return question.within
    admitted = admits(question.paths, ())
    rows = reader.rows("documents", ["doc_id", "path"]).to_pylist()
    return replace(question.within, doc_ids=tuple(row["doc_id"] for row in rows if admitted(row["path"])))


def _add_lexical(found: dict[str, _Candidate], reader: Reader, words: str, within: Filter, vectors: bool) -> None:
    columns = [*_SHOWN, "vector"] if vectors else list(_SHOWN)
    for rank, row in enumerate(reader.match(words, within, CANDIDATES, columns).to_pylist(), 1):
        candidate = found.setdefault(row["chunk_id"], _Candidate(row))
        candidate.lexical_rank, candidate.lexical = rank, row["_score"]


def _add_nearest(found: dict[str, _Candidate], reader: Reader, vector: Vectors, within: Filter) -> None:
    for rank, row in enumerate(reader.nearest(vector, within, CANDIDATES, list(_SHOWN)).to_pylist(), 1):
        candidate = found.setdefault(row["chunk_id"], _Candidate(row))
        candidate.vector_rank, candidate.cosine = rank, 1.0 - row["_distance"]
    for candidate in found.values():
        # Found by its words only: its own vector tells how near it is, so that the two scores can be compared.
        own = candidate.row.get("vector")
        if candidate.cosine is None and own is not None:
            candidate.cosine = float(np.dot(vector, np.asarray(own, dtype=np.float32)))


def _dense_weight(words: str) -> float:
    return DENSE_WEIGHT_IDENTIFIER if _IDENTIFIER.search(words) else DENSE_WEIGHT


def _scored(found: dict[str, _Candidate], weight: float) -> list[tuple[float, _Candidate]]:
    """Convex score: dense by min-max over the candidates, lexical over its own maximum."""
    cosines = [candidate.cosine for candidate in found.values() if candidate.cosine is not None]
    low, high = (min(cosines), max(cosines)) if cosines else (0.0, 1.0)
    best = max((candidate.lexical for candidate in found.values()), default=0.0) or 1.0
    spread = high - low
    scored = []
    for candidate in found.values():
        dense = 0.0 if candidate.cosine is None else (candidate.cosine - low) / spread if spread else 1.0
        scored.append((weight * dense + (1 - weight) * candidate.lexical / best, candidate))
    # Ties are broken by place, so that the same index always answers in the same order.
    return sorted(
        scored, key=lambda pair: (-pair[0], pair[1].row["path"], pair[1].row["line_start"], pair[1].row["source"])
    )


def _merged(scored: Sequence[tuple[float, _Candidate]]) -> list[Hit]:
    places: dict[str, list[str]] = {}
    first: dict[str, tuple[float, _Candidate]] = {}
    for score, candidate in scored:
        row = candidate.row
        places.setdefault(row["text_hash"], []).append(f"{row['path']}:{row['line_start']}")
        first.setdefault(row["text_hash"], (score, candidate))
    return [_hit(score, candidate, tuple(places[text][1:])) for text, (score, candidate) in first.items()]


def _hit(score: float, candidate: _Candidate, also: tuple[str, ...]) -> Hit:
    shown = {name: candidate.row[name] for name in _SHOWN if name != "text_hash"}
    return Hit(
        **shown,
        relevance=round(min(max(score, 0.0), 1.0), 4),
        lexical_rank=candidate.lexical_rank,
        vector_rank=candidate.vector_rank,
        also=also,
    )
