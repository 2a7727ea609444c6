"""What a question can be answered from: passages in the order of the search, weighed as evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muniment.ask.evidence import Asked, Weighed, likelihood, scale_of, strongest, take_apart, weigh
from muniment.ask.excerpts import cut_pieces
from muniment.ranking.prior import Prior
from muniment.search import Question, search_anyhow
from muniment.store.reader import Filter, Reader
from schemas.answers import Results
from schemas.cited import Excerpt

if TYPE_CHECKING:
    from muniment.embedders import Embedder


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be looked at, sent and waited for."""

    max_docs: int = 8
    excerpt_chars: int = 400
    evidence: float = 0.4
    """Below it nothing is worth asking a model, or quoting."""
    timeout_s: float = 60.0
    """For all requests to a model together."""
    prompt_tokens: int = 7_000
    within: Filter = field(default_factory=Filter)
    paths: tuple[str, ...] = ()
    """Gitignore patterns; only documents whose path matches one are asked."""
    prior: Prior | None = None
    """What the search adds for a type that gets used."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the search brought up for a question."""

    results: Results
    asked: Asked
    weighed: tuple[Weighed, ...]
    """In the order of the search, or with what an answer quotes before the others."""
    evidence: float
    """0..1; how likely the question is answered at all."""

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """The passages as they are shown and sent, numbered from 1."""
        return tuple(_excerpt(number, one) for number, one in enumerate(self.weighed, 1))


def gather(reader: Reader, question: str, embedder: Embedder | None, limits: Limits) -> Found:
    """The passages for a question, one of each chunk that was found; raises what the search raises.

    Where the embedder does not do its work, they are found and weighed by words alone.
    """
    within = Question(question, limits.max_docs, within=limits.within, paths=limits.paths, prior=limits.prior)
    results = search_anyhow(reader, within, embedder)
    near = None if results.words_only else embedder
    asked = take_apart(question, reader)
    pieces = [
        piece
        for rank, hit in enumerate(results.hits, 1)
        for piece in cut_pieces(hit, rank, asked.weights, limits.excerpt_chars)
    ]
    weighed = tuple(weigh(asked, pieces, near))
    evidence = likelihood(strongest(weighed), scale_of(near)) if weighed else 0.0
    return Found(results, asked, weighed, round(evidence, 4))


def _excerpt(number: int, weighed: Weighed) -> Excerpt:
    piece, hit = weighed.piece, weighed.piece.hit
    return Excerpt(
        id=number,
        chunk_id=hit.chunk_id,
        source=hit.source,
        path=hit.path,
        line_start=piece.line_start,
        line_end=piece.line_end,
        kind=hit.kind,
        type=hit.type,
        section=hit.section,
        title=hit.title,
        text=piece.text,
        rank=piece.rank,
        relevance=hit.relevance,
        evidence=round(weighed.evidence, 4),
    )
