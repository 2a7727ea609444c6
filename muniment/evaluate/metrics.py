"""The measures of rankings: recall, reciprocal rank and gain, per set and per family of sets, mode against mode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from muniment.errors import UsageError
from muniment.evaluate.runs import ANSWER, WITH_PRIOR, Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

MEASURES = ("R@1", "R@5", "R@10", "RR@10", "nDCG@10")
JUDGED_BY = "nDCG@10"
# Enough that the ends of the interval move by less than the third decimal.
_RESAMPLES = 5_000
_SEED = 20_260_101

Values = Mapping[str, Mapping[str, float]]
"""Question -> measure -> value."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one mode is than another over the same questions, with its paired bootstrap interval (95 %)."""

    mean: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """`better`, `worse`, or `tie` when the interval holds zero."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "tie"


@dataclass(frozen=True, slots=True)
class SetReport:
    """The figures of one set of questions."""

    name: str
    questions: int
    modes: Mapping[str, Mapping[str, float]]
    """Mode -> measure -> mean."""
    hybrid_over_lexical: Difference | None
    """In nDCG@10; None where one of the two was not run."""
    prior_over_hybrid: Difference | None = None
    """Likewise."""


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of every set, every family of sets, and of all questions."""

    sets: tuple[SetReport, ...]
    families: tuple[SetReport, ...]
    whole: SetReport


def measure(rankings: Sequence[Ranking]) -> Report:
    """The report of some rankings; every question counts once for each mode it was asked in.

    Raises UsageError where the library that computes the measures is not installed.
    """
    values = {mode: _values(rankings, mode) for mode in dict.fromkeys(ranking.mode for ranking in rankings)}
    sets, families = defaultdict(set), defaultdict(set)
    for ranking in rankings:
        sets[ranking.asked.set].add(ranking.asked.key)
        families[ranking.asked.family].add(ranking.asked.key)
    return Report(
        tuple(_report(name, sorted(keys), values) for name, keys in sorted(sets.items())),
        tuple(_report(name, sorted(keys), values) for name, keys in sorted(families.items())),
        _report("all", sorted(set().union(*sets.values())), values),
    )


def load_library() -> ModuleType:
    """The library that computes the measures. Raises UsageError where the `eval` extra is not installed."""
    try:
        import ir_measures
    except ModuleNotFoundError as error:
        raise UsageError(
            f"measuring needs '{error.name}', which is not installed", "install the extra: muniment[eval]"
        ) from error
    return ir_measures


def paired_bootstrap(differences: NDArray[np.float64]) -> Difference:
    """Mean of per-question differences, and the interval that 95 % of resampled means fall in."""
    draws = np.random.default_rng(_SEED).integers(0, len(differences), (_RESAMPLES, len(differences)))
    low, high = np.quantile(differences[draws].mean(axis=1), (0.025, 0.975))
    return Difference(float(differences.mean()), float(low), float(high))


def _values(rankings: Iterable[Ranking], mode: str) -> Values:
    library = load_library()
    chosen = {ranking.asked.key: ranking.places for ranking in rankings if ranking.mode == mode}
    run = {key: {place: 1.0 / rank for rank, place in enumerate(places, 1)} for key, places in chosen.items()}
    judged = {key: {ANSWER: 1} for key in chosen}
    values: dict[str, dict[str, float]] = {key: {} for key in chosen}
    for metric in library.iter_calc([library.parse_measure(name) for name in MEASURES], judged, run):
        values[metric.query_id][str(metric.measure)] = metric.value
    return values


def _report(name: str, keys: Sequence[str], values: Mapping[str, Values]) -> SetReport:
    means = {
        mode: {measure: float(np.mean([of[key][measure] for key in keys])) for measure in MEASURES}
        for mode, of in values.items()
    }
    return SetReport(
        name, len(keys), means, _over(values, keys, "hybrid", "lexical"), _over(values, keys, WITH_PRIOR, "hybrid")
    )


def _over(values: Mapping[str, Values], keys: Sequence[str], mode: str, other: str) -> Difference | None:
    if not {mode, other} <= values.keys():
        return None
    return paired_bootstrap(np.array([values[mode][key][JUDGED_BY] - values[other][key][JUDGED_BY] for key in keys]))
