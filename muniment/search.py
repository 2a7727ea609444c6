"""Search: words and vectors asked apart, ranked as one list, filters applied inside both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from muniment.errors import UsageError
from muniment.ranking.candidates import Candidate
from muniment.ranking.fuse import Mode, rank
from muniment.ranking.relevance import relevances
from muniment.store.reader import Filter, Reader
from schemas.answers import Hit, Results

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.embedders import Embedder, Vectors

CANDIDATES = 100
"""How deep each list is read: as deep as the fusion was measured with."""
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
]
_READ = [*_SHOWN, "text_hash", "context"]

Found = dict[str, Candidate]
"""Chunk id -> candidate."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for, and where."""

    words: str
    limit: int = 10
    mode: Mode = "hybrid"
    within: Filter = field(default_factory=Filter)
    paths: tuple[str, ...] = ()
    """Gitignore patterns; only documents whose path matches one are searched."""
    min_relevance: float = 0.0
    """Hits below it are left out."""


def search(reader: Reader, question: Question, embedder: Embedder | None) -> Results:
    """The best hits for a question, best first; equal texts take one place and name every path.

    Without an embedder, or in an index without vectors, the mode falls back to lexical. Raises UsageError for a
    limit under 1, a minimum outside 0..1, and what the embedder raises.
    """
    _check(question)
    generation = reader.generation
    mode: Mode = question.mode if embedder and generation.dimension else "lexical"
    words = question.words.strip()
    found: Found = {}
    if words:
        within = _with_paths(reader, question)
        vector = embedder.embed([words], "query")[0] if embedder and mode != "lexical" else None
        if mode != "vector":
            _add_lexical(found, reader, words, within, vector)
        if vector is not None:
            _add_nearest(found, reader, vector, within)
    ranked = rank(words, list(found.values()), mode)
    return Results(
        query=question.words,
        mode=mode,
        generation=generation.number,
        chunks=sum(state.chunks for state in generation.sources.values()),
        pending=generation.pending,
        hits=_hits(ranked, question),
    )


def _check(question: Question) -> None:
    if question.limit < 1:
        raise UsageError(f"--limit must be at least 1 (it is {question.limit})")
    if not 0 <= question.min_relevance <= 1:
        raise UsageError(f"--min-relevance must be between 0 and 1 (it is {question.min_relevance})")


def _with_paths(reader: Reader, question: Question) -> Filter:
    from muniment.patterns import admits

    if not question.paths:
        return question.within
    admitted = admits(question.paths, ())
    rows = reader.rows("documents", ["doc_id", "path"]).to_pylist()
    return replace(question.within, doc_ids=tuple(row["doc_id"] for row in rows if admitted(row["path"])))


def _add_lexical(found: Found, reader: Reader, words: str, within: Filter, vector: Vectors | None) -> None:
    columns = [*_READ, "vector"] if vector is not None else _READ
    table = reader.match(words, within, CANDIDATES, columns)
    # What only its words brought up gets its cosine too, so that the two scores can be compared.
    cosines = _cosines(table, vector) if vector is not None else [None] * len(table)
    for rank_, (row, cosine) in enumerate(zip(_rows(table), cosines, strict=True), 1):
        found[row["chunk_id"]] = Candidate(row, lexical_rank=rank_, lexical=row["_score"], cosine=cosine)


def _add_nearest(found: Found, reader: Reader, vector: Vectors, within: Filter) -> None:
    for rank_, row in enumerate(_rows(reader.nearest(vector, within, CANDIDATES, _READ)), 1):
        candidate = found.setdefault(row["chunk_id"], Candidate(row))
        candidate.vector_rank, candidate.cosine = rank_, 1.0 - row["_distance"]


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    kept = table.drop_columns(["vector"]) if "vector" in table.column_names else table
    rows: list[dict[str, Any]] = kept.to_pylist()
    return rows


def _cosines(table: pa.Table, vector: Vectors) -> list[float | None]:
    """Each row's cosine to the question, without making Python numbers of its vector; None where it has none."""
    column = table["vector"].combine_chunks()
    if column.null_count:
        return [None if own is None else float(np.dot(vector, own)) for own in column.to_numpy(zero_copy_only=False)]
    flat = column.flatten().to_numpy(zero_copy_only=False)
    cosines: list[float | None] = (flat.reshape(len(column), -1) @ vector).tolist()
    return cosines


def _hits(ranked: Sequence[Candidate], question: Question) -> tuple[Hit, ...]:
    """The first `limit` different texts, each with every place it stands at."""
    places: dict[str, list[str]] = {}
    first: dict[str, tuple[Candidate, float]] = {}
    for candidate, relevance in zip(ranked, relevances(ranked), strict=True):
        row = candidate.row
        places.setdefault(row["text_hash"], []).append(f"{row['path']}:{row['line_start']}")
        first.setdefault(row["text_hash"], (candidate, relevance))
    chosen = [(text, *pair) for text, pair in first.items() if pair[1] >= question.min_relevance][: question.limit]
    return tuple(_hit(candidate, relevance, places[text][1:]) for text, candidate, relevance in chosen)


def _hit(candidate: Candidate, relevance: float, also: Sequence[str]) -> Hit:
    row: Mapping[str, Any] = candidate.row
    return Hit(
        **{name: row[name] for name in _SHOWN},
        relevance=relevance,
        lexical_rank=candidate.lexical_rank,
        vector_rank=candidate.vector_rank,
        also=tuple(also),
        boosts=dict(candidate.boosts),
    )
