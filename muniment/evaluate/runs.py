"""Asking questions of an index in every mode, and where in each ranking the answer stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muniment.search import Mode, Question, search

if TYPE_CHECKING:
    from muniment.embedders import Embedder
    from muniment.evaluate.questions import Asked
    from muniment.ranking.prior import Prior
    from muniment.store.reader import Reader
    from schemas.answers import Hit

MODES: tuple[Mode, ...] = ("lexical", "vector", "hybrid")
WITH_PRIOR = "hybrid+prior"
ANSWER = "answer"
DEPTH = 10
"""No measure looks deeper."""
_HITS = 60
"""Chunks asked for: enough for ten different sections, mostly for ten files."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one question found in one mode: the places in order, the one that answers called `answer`."""

    asked: Asked
    mode: str
    places: tuple[str, ...]

    @property
    def rank(self) -> int | None:
        """Where the answer stands, from 1; None where it is not among the first ten."""
        return self.places.index(ANSWER) + 1 if ANSWER in self.places else None


def rank_all(
    reader: Reader,
    asked: Iterable[Asked],
    modes: Sequence[Mode],
    embedder: Embedder | None,
    prior: Prior | None = None,
) -> Iterator[Ranking]:
    """Each question's ranking in each mode, and in the one called `hybrid+prior` where there is a prior."""
    systems: list[tuple[str, Mode, Prior | None]] = [(mode, mode, None) for mode in modes]
    if prior:
        systems.append((WITH_PRIOR, "hybrid", prior))
    for one in asked:
        for name, mode, added in systems:
            results = search(reader, Question(one.query, _HITS, mode, prior=added), embedder)
            yield Ranking(one, name, collapse(one, results.hits))


def collapse(asked: Asked, hits: Iterable[Hit]) -> tuple[str, ...]:
    """The different places of some hits, best first: files where the answer is a file, else sections."""
    named = (ANSWER if asked.answered_by(hit) else _place(hit, by_file=asked.by_file) for hit in hits)
    return tuple(dict.fromkeys(named))[:DEPTH]


def _place(hit: Hit, *, by_file: bool) -> str:
    return f"{hit.source}:{hit.path}" if by_file else f"{hit.source}:{hit.path}#{hit.heading_path}"
