"""The report as GitHub-flavoured Markdown, for a comment, a job summary or a page."""

from __future__ import annotations

import re

from muniment.drift import wording
from muniment.drift.view import View
from muniment.inert import one_line
from schemas.claims import DriftReport, Finding, Judgement, Place

_ENDS_A_CODE_SPAN = re.compile(r"[|`]|\A\s|\s\Z")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def render(report: DriftReport, view: View) -> str:
    """A table of the findings; with `view.everything` one of the other claims too."""
    lines = ["# Documentation drift", "", f"**{wording.verdict(report)}**", ""]
    if report.findings:
        lines += ["| place | finding | decided by | since |", "| --- | --- | --- | --- |"]
        lines += [*map(_row, report.findings), ""]
    others = [judgement for judgement in report.judgements if judgement.verdict != "disagrees"]
    if view.everything and others:
        lines += ["| place | option | documented | verdict |", "| --- | --- | --- | --- |"]
        lines += [*map(_judged, others), ""]
    lines += [f"{code(report.repository)}: {wording.totals(report, view.elapsed_ms)}"]
    lines += [line for note in report.notes for line in ("", f"Note: {code(note)}")]
    return "\n".join(lines) + "\n"


def code(text: str) -> str:
    """Text from a repository in a table's cell or a paragraph: no markup, link or mention comes alive in it."""
    shown = one_line(text)
    if not shown:
        return "*nothing*"
    if not _ENDS_A_CODE_SPAN.search(shown):
        return f"`{shown}`"
    # Within a table no code span can hold every mixture of backslashes and bars; entities can.
    spelled = _PUNCTUATION.sub(lambda found: f"&#{ord(found.group())};", shown)
    return f"<code>{spelled}</code>"


def _row(finding: Finding) -> str:
    where = code(f"{finding.path}:{finding.line}")
    return f"| {where} | {_said(finding)} | {_decided(finding)} | {_since(finding)} |"


def _said(finding: Finding) -> str:
    if finding.check != "default" or finding.truth is None:
        return f"{finding.check}: {code(finding.message)}"
    return (
        f"{code(finding.option)} says {_value(finding.documented)}, {_at(finding.truth)} has {_value(finding.actual)}"
    )


def _decided(finding: Finding) -> str:
    parts = [finding.won_by and code(finding.won_by)]
    for word, places in (("also agrees", finding.agreeing), ("differs", finding.differing)):
        parts.append(f"{word}: {wording.some(places, _at)}" if places else "")
    return "; ".join(part for part in parts if part)


def _since(finding: Finding) -> str:
    parts = (code(finding.since[:10]) if finding.since else "", code(finding.since_note) if finding.since_note else "")
    return " ".join(part for part in parts if part)


def _judged(judgement: Judgement) -> str:
    claim = judgement.claim
    verdict = f"{judgement.verdict}: {code(judgement.reason)}" if judgement.verdict == "unknown" else judgement.verdict
    where = code(f"{claim.path}:{claim.line}")
    return f"| {where} | {code(claim.option)} | {_value(claim.documented)} | {verdict} |"


def _at(place: Place) -> str:
    return code(f"{place.path}:{place.line}")


def _value(text: str) -> str:
    return code(text if len(text) <= wording.MAX_VALUE else f"{text[: wording.MAX_VALUE - 3]}...")
