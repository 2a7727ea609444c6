"""The nightly report as a person sees it: goldens of both forms, and the page in a real browser.

After a change that is meant, `UPDATE_GOLDENS=1 pytest tests/muniment/report/test_page.py` writes the goldens anew.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from muniment.report.history import History, compare, continued
from muniment.report.page import as_html, as_markdown
from muniment.report.plot import HEIGHT, WIDTH, plot_of
from schemas.claims import DriftReport
from schemas.effectiveness import Effect, EffectivenessReport
from schemas.nightly import Night, NightlyReport, SourceDrift
from schemas.quality import Offender, Outcome, QualityReport
from schemas.runs import RunReport
from tests.browser import open_page
from tests.muniment.drift.reports import FLAG, GRACE, LINK, REPORTS

GOLDENS = Path(__file__).parent / "goldens"
NIGHTS = ("2026-01-01T03:00:00+00:00", "2026-01-02T03:00:00+00:00", "2026-01-03T03:00:00+00:00")
UNMET = Outcome(
    "chunks",
    "has_document",
    "blocking",
    "no orphans",
    ok=False,
    rows=9,
    unexpected=1,
    sample=(Offender("k", "a.md:3", "x"),),
)
USED = EffectivenessReport(
    window_hours=168,
    since=datetime(2025, 12, 27, tzinfo=UTC),
    until=datetime(2026, 1, 3, tzinfo=UTC),
    assemblies=40,
    assembled=120,
    used=30,
    effects=(
        Effect("type", "manual", 30, 100, 28, 0.28, 0.2, 0.37, 0.25, "no clear change"),
        Effect("type", "readme", 10, 20, 2, None, None, None, None, "not enough data"),
    ),
    lines=40,
    unreadable=0,
    samples=(),
)


def drifted(*reports: DriftReport) -> SourceDrift:
    """The last of several nights, each of which found what its report says."""
    history = History()
    for at, report in zip(NIGHTS, reports, strict=False):
        drift = compare(history, "kestrel", report, at)
        history = continued(history, [drift])
    return drift


def night(drift: SourceDrift, quality: QualityReport | None = None) -> NightlyReport:
    return NightlyReport(
        run="20260103T030000Z-abc123",
        engine="direct",
        started_at=NIGHTS[-1],
        finished_at=NIGHTS[-1],
        index=RunReport("20260103T030000Z-abc123", "direct", NIGHTS[-1], generation=7, documents=3, chunks=9),
        drift=(drift,),
        effectiveness=USED,
        quality=quality or QualityReport(NIGHTS[-1], (), 7, {"chunks": 9}),
        seconds={"index": 1.0},
    )


def found(*findings: object) -> DriftReport:
    return DriftReport("/srv/kestrel", "c0ffee0000", "head", 12, (), findings)  # type: ignore[arg-type]  # findings


ORDINARY = night(
    drifted(found(GRACE, FLAG), found(GRACE, FLAG), found(GRACE, LINK)),
    QualityReport(NIGHTS[-1], (UNMET,), 7, {"chunks": 9}),
)
QUIET = night(drifted(found(GRACE), found()))


@pytest.mark.parametrize(("name", "report"), [("ordinary", ORDINARY), ("quiet", QUIET)])
@pytest.mark.parametrize(("suffix", "render"), [("html", as_html), ("md", as_markdown)])
def test_the_report_is_as_its_golden_shows(name: str, report: NightlyReport, suffix: str, render: object) -> None:
    assert callable(render)
    document = render(report)
    golden = GOLDENS / f"{name}.{suffix}"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(document, encoding="utf-8")
    assert document == golden.read_text(encoding="utf-8")


def test_the_verdict_leads() -> None:
    assert ORDINARY.verdict.startswith("2 open: 1 new, 1 still open, 1 fixed; data not good")
    assert QUIET.verdict.startswith("nothing disagrees; data good")
    for report in (ORDINARY, QUIET):
        assert report.verdict in as_markdown(report).split("\n## ")[0]
        assert report.verdict in as_html(report).split("<h2>")[0]


class _Live(HTMLParser):
    """Collects what a browser would run or fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = [name for name, _ in attrs if name.startswith("on") or name in ("src", "href", "srcset")]
        if tag in ("script", "iframe", "img", "link", "object", "a") or wanted:
            self.found.append(f"{tag} {wanted}")


@pytest.mark.parametrize("report", REPORTS)
def test_nothing_in_the_page_runs_or_fetches(report: str) -> None:
    live = _Live()
    live.feed(as_html(night(drifted(REPORTS[report]))))
    assert live.found == []


@pytest.mark.parametrize("report", REPORTS)
def test_no_text_from_a_repository_steers_a_terminal_or_turns_a_line(report: str) -> None:
    made = night(drifted(REPORTS[report]))
    for document in (as_html(made), as_markdown(made)):
        assert not {"\x1b", "\x07", "\u202e", "\u2028"} & set(document)


def test_one_night_makes_no_line() -> None:
    assert plot_of(ORDINARY.drift[0].nights[:1]) is None


def test_the_plot_stays_inside_and_ends_at_the_last_night() -> None:
    plot = plot_of([replace(a_night(), open=count) for count in (0, 7, 3)])
    assert plot is not None
    points = [tuple(map(float, point.split(","))) for point in plot.points.split()]
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert points[-1] == plot.last
    assert (plot.highest, points[1][1] < points[2][1] < points[0][1]) == (7, True)


def a_night() -> Night:
    return ORDINARY.drift[0].nights[0]


@pytest.mark.slow
@pytest.mark.parametrize("report", REPORTS)
def test_a_browser_shows_the_page_and_asks_nobody(report: str, tmp_path: Path) -> None:
    page = tmp_path / "drift.html"
    page.write_text(as_html(night(drifted(REPORTS[report]))), encoding="utf-8")
    opened = open_page(page, tmp_path / "profile")
    assert opened.title == "Documentation drift, 2026-01-03"
    assert opened.asked == set()
