"""The figures of an evaluation as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from muniment.evaluate.metrics import JUDGED_BY, MEASURES, Difference, Report, SetReport
from muniment.evaluate.runs import WITH_PRIOR, Ranking

_SHOWN = {"R@1": "recall@1", "R@5": "recall@5", "R@10": "recall@10", "RR@10": "MRR@10", "nDCG@10": "nDCG@10"}


def table(report: Report) -> str:
    """A Markdown table: one line for each set and mode, families and all questions last."""
    head = ["set", "questions", "mode", *(_SHOWN[name] for name in MEASURES), f"hybrid - lexical, {JUDGED_BY}"]
    several = len(report.sets) > 1
    shown = [*report.sets, *(_named(report) if several else ())]
    rows = [head, ["---"] * len(head), *(row for one in shown for row in _rows(one))]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def as_json(report: Report, rankings: Sequence[Ranking] = ()) -> dict[str, Any]:
    """The figures as JSON values, and where each answer stands in each mode (null: not among the first ten)."""
    return {
        "sets": [_set(one) for one in report.sets],
        "families": [_set(one) for one in report.families],
        "all": _set(report.whole),
        "questions": [
            {"id": one.asked.key, "set": one.asked.set, "query": one.asked.query, "mode": one.mode, "rank": one.rank}
            for one in rankings
        ],
    }


def _named(report: Report) -> list[SetReport]:
    from dataclasses import replace

    families = [replace(one, name=f"{one.name} (family)") for one in report.families]
    return [*families, report.whole] if len(families) < len(report.sets) else [report.whole]


def _rows(one: SetReport) -> list[list[str]]:
    return [
        [
            one.name,
            str(one.questions),
            mode,
            *(f"{means[name]:.3f}" for name in MEASURES),
            _compared(one, mode),
        ]
        for mode, means in one.modes.items()
    ]


def _compared(one: SetReport, mode: str) -> str:
    if mode == WITH_PRIOR and one.prior_over_hybrid:
        return f"over hybrid: {_said(one.prior_over_hybrid)}"
    return _said(one.hybrid_over_lexical) if mode == "hybrid" and one.hybrid_over_lexical else ""


def _said(difference: Difference) -> str:
    return f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}] {difference.verdict}"


def _set(one: SetReport) -> dict[str, Any]:
    values = asdict(one)
    values["modes"] = {mode: {_SHOWN[name]: value for name, value in of.items()} for mode, of in one.modes.items()}
    for name in ("hybrid_over_lexical", "prior_over_hybrid"):
        if difference := getattr(one, name):
            values[name]["verdict"] = difference.verdict
    return values
