"""The report for a person at a terminal: the verdict first, then file by file, the numbers last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from muniment.drift import wording
from muniment.drift.view import View
from muniment.inert import one_line
from schemas.claims import DriftReport, Finding, Judgement, Place


def render(report: DriftReport, view: View) -> str:
    """The findings; with `view.everything` also the claims that could not be judged and those that agree."""
    lines = [wording.verdict(report)]
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        lines += ["", wording.path(path), *(line for finding in findings for line in _finding(finding))]
    if view.everything:
        lines += [*_judged(report, "unknown", "could not be judged"), *_judged(report, "agrees", "agree")]
    lines += ["", wording.totals(report, view.elapsed_ms)]
    return "\n".join(lines) + "\n"


def _finding(finding: Finding) -> Iterator[str]:
    yield f"  {wording.place(Place(finding.path, finding.line))}  {wording.sentence(finding)}"
    if said := wording.evidence(finding):
        yield f"      {said}"


def _judged(report: DriftReport, verdict: str, said: str) -> Iterator[str]:
    judgements = [judgement for judgement in report.judgements if judgement.verdict == verdict]
    if judgements:
        yield from ("", f"claims that {said} ({len(judgements)})")
        yield from (f"  {_judgement(judgement)}" for judgement in judgements)


def _judgement(judgement: Judgement) -> str:
    claim, truth = judgement.claim, judgement.truth
    where = wording.place(Place(claim.path, claim.line))
    has = ""
    if truth:
        has = f", {wording.place(Place(truth.path, truth.line))} has {wording.value(truth.value)}"
    why = f" ({one_line(judgement.reason)})" if judgement.verdict == "unknown" else ""
    return f"{where}  {one_line(claim.option)} says {wording.value(claim.documented)}{has}{why}"
