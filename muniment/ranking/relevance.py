"""What a score means."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.ranking.candidates import Candidate


def relevances(ranked: Sequence[Candidate]) -> list[float]:
    """x"""
    return [round(min(max(each.score, 0.0), 1.0), 4) for each in ranked]
