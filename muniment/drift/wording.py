"""Findings in words: plain, on one line, inert."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from muniment.inert import one_line
from schemas.claims import CHECKS, DriftReport, Finding, Place

MAX_VALUE = 160
"""Characters of a value that are shown; a cell of a table can hold a page."""

MAX_PLACES = 4
"""Other truths that are named; a chart can give one option a value in thirty files."""

_PLAIN = re.compile(r"[^\s'\"]+")


def sentence(finding: Finding) -> str:
    """What the finding says, without a full stop."""
    if finding.check != "default" or finding.truth is None:
        return one_line(finding.message)
    option, says, has = one_line(finding.option), value(finding.documented), value(finding.actual)
    return f"{option} says {says}, {place(finding.truth)} has {has}"


def evidence(finding: Finding) -> str:
    """What the finding stands on: who decided, who agrees, who differs, and since which commit; may be empty."""
    return ", ".join(part for part in (_grounds(finding), since(finding)) if part)


def whole(finding: Finding) -> str:
    """Sentence and evidence as one."""
    grounds = f" {_grounds(finding)}".rstrip()
    return ", ".join(part for part in (sentence(finding) + grounds, since(finding)) if part)


def since(finding: Finding) -> str:
    """From which commit the two differ, or why that is not known; may be empty."""
    note = f" ({one_line(finding.since_note)})" if finding.since_note else ""
    if not finding.since:
        return f"since when is not known{note}" if note else ""
    return f"since {finding.since[:10]}{note}"


def value(text: str) -> str:
    """A value, in quotes where its end could not be seen, cut where it is very long."""
    shown = one_line(text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 3]}...")
    if not shown:
        return "nothing"
    return shown if _PLAIN.fullmatch(shown) else f"'{shown}'"


def place(where: Place) -> str:
    """Path and line."""
    return f"{path(where.path)}:{where.line}"


def some(places: Sequence[Place], spell: Callable[[Place], str]) -> str:
    """The first of these places, each spelled so, and how many more there are."""
    more = [f"{len(places) - MAX_PLACES} more"] if len(places) > MAX_PLACES else []
    return ", ".join([*map(spell, places[:MAX_PLACES]), *more])


def path(name: str) -> str:
    """A path that no line can take for a command: GitHub obeys output that begins with `::`."""
    shown = one_line(name)
    return f"./{shown}" if shown.startswith((":", "#")) else shown


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def verdict(report: DriftReport) -> str:
    """The one line that says it all."""
    number = len(report.findings)
    if number:
        files = counted(len({finding.path for finding in report.findings}), "file")
        return f"{counted(number, 'place')} in {files} {'disagrees' if number == 1 else 'disagree'} with the repository"
    return "nothing disagrees with the repository" + (" but what the baseline knows" if report.silenced else "")


def totals(report: DriftReport, elapsed_ms: float) -> str:
    """Everything counted, on one line."""
    return "; ".join(_totals(report, elapsed_ms))


def _totals(report: DriftReport, elapsed_ms: float) -> Iterator[str]:
    if report.judgements:
        counts = report.counts
        known = f"{counts['agrees']} agree, {counts['disagrees']} disagree, {counts['unknown']} unknown"
        yield f"{counted(len(report.judgements), 'claim')}: {known}"
    by_check = Counter(finding.check for finding in report.findings)
    if by_check:
        yield "found: " + ", ".join(f"{by_check[check]} {check}" for check in CHECKS if check in by_check)
    if report.silenced:
        yield f"{report.silenced} silenced by the baseline"
    at = f" at {report.commit[:10]}" if report.commit else ""
    state = {"head": at, "worktree": " (working copies)", "staged": " (staged)"}[report.state]
    yield f"{counted(report.files, 'file')}{state}, {elapsed_ms / 1000:.1f} s"


def _grounds(finding: Finding) -> str:
    parts = (
        f"won by {one_line(finding.won_by)}" if finding.won_by else "",
        _others("also agrees", finding.agreeing),
        _others("differs", finding.differing),
    )
    said = "; ".join(part for part in parts if part)
    return f"({said})" if said else ""


def _others(word: str, places: Sequence[Place]) -> str:
    return f"{word}: {some(places, place)}" if places else ""
