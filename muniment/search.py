"""Search: words and vectors asked apart, ranked as one list, filters applied inside both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from muniment.errors import ProviderError, UsageError
from muniment.filters import checked_filter
from muniment.ranking.candidates import Candidate
from muniment.ranking.fuse import Mode, rank
from muniment.ranking.prior import Prior
from muniment.ranking.relevance import relevances
from muniment.store.reader import Filter, Reader
from schemas.answers import Hit, Results

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.embedders import Embedder, Vectors

__all__ = ["CANDIDATES", "Mode", "Question", "search", "search_anyhow"]

CANDIDATES = 100
"""How deep each list is read: as deep as the fusion was measured with."""
MAX_CHARS = 1_000
"""Of a longer question full-text search reads so much; vectors are made of what their model reads."""
MAX_PIECES = 8
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
    prior: Prior | None = None
    """What is added for a type that gets used."""


def search(reader: Reader, question: Question, embedder: Embedder | None) -> Results:
    """The best hits for a question, best first; equal texts take one place and name every path.

    Without an embedder, or in an index without vectors, the mode falls back to lexical. Raises UsageError for a
    limit under 1, a minimum outside 0..1 and a filter that nothing in the index has, and what the embedder raises.
    """
    _check(question)
    generation = reader.generation
    mode: Mode = question.mode if embedder and generation.dimension else "lexical"
    words = question.words.strip()
    within = checked_filter(reader, question.within, question.paths)
    found = _find(reader, words, mode, within, None if mode == "lexical" else embedder) if words else {}
    ranked = rank(words, list(found.values()), mode, question.prior)
    return Results(
        query=question.words,
        mode=mode,
        generation=generation.number,
        chunks=sum(state.chunks for state in generation.sources.values()),
        pending=generation.pending,
        hits=_hits(ranked, question),
    )


def search_anyhow(reader: Reader, question: Question, embedder: Embedder | None) -> Results:
    """As `search`; but where the embedder does not do its work by the words alone, and the results say why."""
    try:
        return search(reader, question, embedder)
    except ProviderError as error:
        return replace(search(reader, question, None), words_only=error.message)


def _check(question: Question) -> None:
    if question.limit < 1:
        raise UsageError(f"--limit must be at least 1 (it is {question.limit})")
    if not 0 <= question.min_relevance <= 1:
        raise UsageError(f"--min-relevance must be between 0 and 1 (it is {question.min_relevance})")


def _find(reader: Reader, words: str, mode: Mode, within: Filter, embedder: Embedder | None) -> Found:
    """What the words bring up, and what is near the question's vector; the one is looked for beside the other."""
    found: Found = {}
    if embedder is None:
        _add_lexical(found, _match(reader, words, within, _READ), None)
        return found
    with ThreadPoolExecutor(1) as beside:
        matching = None if mode == "vector" else beside.submit(_match, reader, words, within, [*_READ, "vector"])
        vector = embedder.embed([words], "query")[0]
        near = reader.nearest(vector, within, CANDIDATES, _READ)
        if matching:
            _add_lexical(found, matching.result(), vector)
    _add_nearest(found, near)
    return found


def _add_lexical(found: Found, table: pa.Table, vector: Vectors | None) -> None:
    # What only its words brought up gets its cosine too, so that the two scores can be compared.
    cosines = _cosines(table, vector) if vector is not None else [None] * len(table)
    for rank_, (row, cosine) in enumerate(zip(_rows(table), cosines, strict=True), 1):
        found[row["chunk_id"]] = Candidate(row, lexical_rank=rank_, lexical=row["_score"], cosine=cosine)


def _match(reader: Reader, words: str, within: Filter, columns: Sequence[str]) -> pa.Table:
    """What full-text search finds; else chunks that hold a word as it is written: for words that full-text search
    leaves out or can't tell apart, such as `the`, or those of a script without blanks."""
    import pyarrow as pa

    table = reader.match(words[:MAX_CHARS], within, CANDIDATES, columns)
    if table.num_rows:
        return table
    table = reader.holding(words.split()[:MAX_PIECES], within, CANDIDATES, columns)
    return table.append_column("_score", pa.array([1.0] * table.num_rows, pa.float32()))


def _add_nearest(found: Found, table: pa.Table) -> None:
    for rank_, row in enumerate(_rows(table), 1):
        candidate = found.setdefault(row["chunk_id"], Candidate(row))
        candidate.vector_rank, candidate.cosine = rank_, 1.0 - row["_distance"]


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    kept = table.drop_columns(["vector"]) if "vector" in table.column_names else table
    rows: list[dict[str, Any]] = kept.to_pylist()
    return rows


def _cosines(table: pa.Table, vector: Vectors) -> list[float | None]:
    """Each row's cosine to the question, without making Python numbers of its vector; None where it has none."""
    column: Any = table["vector"].combine_chunks()
    if column.null_count:
        return [None if own is None else float(np.dot(vector, own)) for own in column.to_numpy(zero_copy_only=False)]
    flat = column.flatten().to_numpy(zero_copy_only=False)
    cosines: list[float | None] = (flat.reshape(len(column), len(vector)) @ vector).tolist()
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
