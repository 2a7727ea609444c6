"""What `relevance` means: how probable it is that a hit answers the question."""

from __future__ import annotations

import math
from collections.abc import Sequence

from muniment.ranking.candidates import Candidate

# Logistic regression over the first ten hits of development questions and, weighed as much, of questions to an index
# that holds no answer; fitted on one half, checked on the other (docs/decisions/005 has the figures).
_WITH_VECTORS = {"cosine": 5.0, "coverage": 1.8, "named": 1.6, "behind": -2.2, "": -5.1}
_BY_WORDS = {"cosine": 0.0, "coverage": 2.7, "named": 1.9, "behind": -2.2, "": -3.4}
_NAMED = ("exact", "definition")


def relevances(ranked: Sequence[Candidate]) -> list[float]:
    """The probability, 0..1, that each candidate answers, never rising from one to the next.

    Of one meaning in every mode; what has no cosine is judged by its words alone.
    """
    best = ranked[0].score if ranked else 0.0
    least = 1.0
    found = []
    for each in ranked:
        least = min(least, _probability(each, best - each.score))
        found.append(round(least, 4))
    return found


def _probability(candidate: Candidate, behind: float) -> float:
    factors = _BY_WORDS if candidate.cosine is None else _WITH_VECTORS
    named = sum(candidate.boosts.get(name, 0.0) for name in _NAMED)
    evidence = (
        factors["cosine"] * (candidate.cosine or 0.0)
        + factors["coverage"] * candidate.coverage
        + factors["named"] * min(named, 1.0)
        + factors["behind"] * behind
        + factors[""]
    )
    return 1 / (1 + math.exp(-evidence))
