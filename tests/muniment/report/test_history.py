"""What is new, fixed and still open from night to night."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from muniment.report.history import FILE, KEPT_NIGHTS, History, compare, continued, load_history, save_history
from schemas.claims import DriftReport, Finding
from schemas.nightly import SourceDrift

FIRST, SECOND, THIRD = "2026-01-01T03:00:00+00:00", "2026-01-02T03:00:00+00:00", "2026-01-03T03:00:00+00:00"


def finding(option: str, line: int = 1) -> Finding:
    return Finding("default", "docs/a.md", line, f"{option} differs", option, "1", "2")


def report(*findings: Finding) -> DriftReport:
    return DriftReport("repo", "c0ffee", "head", 3, (), findings)


def night(history: History, at: str, *findings: Finding) -> tuple[SourceDrift, History]:
    drift = compare(history, "ops", report(*findings), at)
    return drift, continued(history, [drift])


def test_on_the_first_night_all_is_open_and_nothing_new() -> None:
    drift, _ = night(History(), FIRST, finding("A"), finding("B"))
    assert [(one.first_seen, one.new) for one in drift.open] == [(FIRST, False)] * 2
    assert drift.fixed == ()


def test_a_finding_keeps_the_night_it_was_first_seen() -> None:
    _, history = night(History(), FIRST, finding("A"))
    drift, history = night(history, SECOND, finding("A", line=9), finding("B"))
    assert [(one.finding.option, one.first_seen, one.new) for one in drift.open] == [
        ("A", FIRST, False),
        ("B", SECOND, True),
    ]
    drift, _ = night(history, THIRD, finding("B"))
    assert [(one.option, one.line, one.first_seen) for one in drift.fixed] == [("A", 9, FIRST)]
    assert [(one.first_seen, one.new) for one in drift.open] == [(SECOND, False)]


def test_what_comes_back_is_new_again() -> None:
    _, history = night(History(), FIRST, finding("A"))
    _, history = night(history, SECOND)
    drift, _ = night(history, THIRD, finding("A"))
    assert [(one.first_seen, one.new) for one in drift.open] == [(THIRD, True)]


def test_the_same_said_twice_is_two_findings() -> None:
    _, history = night(History(), FIRST, finding("A", 1), finding("A", 5))
    drift, _ = night(history, SECOND, finding("A", 5))
    assert (len(drift.open), len(drift.fixed), drift.new) == (1, 1, 0)


def test_a_source_that_was_not_looked_at_keeps_its_history() -> None:
    _, history = night(History(), FIRST, finding("A"))
    other = compare(history, "docs", report(finding("B")), SECOND)
    after = continued(history, [other])
    assert set(after.open) == {"ops", "docs"}
    assert [one.source for one in after.nights] == ["ops", "docs"]


def test_nights_are_kept_for_more_than_a_year_and_no_longer() -> None:
    history = History()
    for number in range(KEPT_NIGHTS + 5):
        _, history = night(history, f"night {number:04d}")
    assert len(history.nights) == KEPT_NIGHTS
    assert history.nights[-1].at == f"night {KEPT_NIGHTS + 4:04d}"


def test_a_history_is_read_as_it_was_written(tmp_path: Path) -> None:
    _, history = night(History(), FIRST, finding("A"), finding("A"))
    save_history(tmp_path / "reports", history)
    assert load_history(tmp_path / "reports") == history


def test_a_torn_history_begins_anew(tmp_path: Path) -> None:
    assert load_history(tmp_path) == History()
    for text in ("{", "[]", '{"format": "muniment-drift-history-1"}', '{"format": "another"}'):
        (tmp_path / FILE).write_text(text)
        assert load_history(tmp_path) == History()


_OPTIONS = st.lists(st.sampled_from("ABCD"), max_size=6)


@given(st.lists(_OPTIONS, min_size=1, max_size=5))
def test_open_is_what_was_open_and_is_not_fixed_plus_what_is_new(nights: list[list[str]]) -> None:
    history, before = History(), None
    for number, options in enumerate(nights):
        drift, history = night(history, f"{number}", *(finding(option) for option in options))
        if before is not None:
            assert len(drift.open) == before - len(drift.fixed) + drift.new
        assert len(drift.open) == len(options) == drift.nights[-1].open
        before = len(drift.open)
