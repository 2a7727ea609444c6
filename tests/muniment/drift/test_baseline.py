"""What a baseline knows, keeps quiet about, and no longer finds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from muniment.drift.baseline import Baseline, baseline_of, read_baseline, write_baseline
from muniment.errors import UsageError
from schemas.claims import CHECKS
from tests.muniment.drift.reports import FLAG, GRACE, LINK, ORDINARY, REPORTS

BARE = replace(ORDINARY, silenced=0)


@pytest.mark.parametrize("report", REPORTS)
def test_what_is_written_is_read_again(tmp_path: Path, report: str) -> None:
    known = baseline_of(REPORTS[report].findings)
    write_baseline(tmp_path / "known.json", known)
    assert read_baseline(tmp_path / "known.json") == known


def test_what_is_known_is_silenced_and_counted() -> None:
    silenced = baseline_of([GRACE, LINK]).silence(BARE)
    assert (silenced.findings, silenced.silenced) == ((FLAG,), 2)


def test_a_known_finding_may_move() -> None:
    moved = replace(BARE, findings=(replace(FLAG, line=99),))
    assert baseline_of([FLAG]).silence(moved).findings == ()


@pytest.mark.parametrize("part", ["check", "path", "option", "documented", "actual"])
def test_another_finding_is_not_silenced(part: str) -> None:
    other: Any = {part: "dead-link" if part == "check" else "other"}
    changed = replace(BARE, findings=(replace(FLAG, **other),))
    assert baseline_of([FLAG]).silence(changed) == changed


def test_a_second_one_alike_is_new() -> None:
    second = replace(FLAG, line=FLAG.line + 5)
    twice = replace(BARE, findings=(FLAG, second))
    assert baseline_of([FLAG]).silence(twice).findings == (second,)
    assert baseline_of([FLAG, FLAG]).silence(twice).findings == ()


def test_stale_entries_are_counted() -> None:
    known = baseline_of([GRACE, FLAG, FLAG])
    assert known.stale([FLAG], CHECKS) == 2
    assert known.stale([GRACE, FLAG, FLAG, LINK], CHECKS) == 0


def test_checks_that_did_not_run_have_no_stale_entries() -> None:
    assert baseline_of([GRACE, FLAG]).stale([], {"unparsed-flag"}) == 1


def test_a_baseline_is_sorted_for_a_diff(tmp_path: Path) -> None:
    texts = set()
    for findings in ([GRACE, LINK, FLAG], [FLAG, GRACE, LINK]):
        write_baseline(tmp_path / "known.json", baseline_of(findings))
        texts.add((tmp_path / "known.json").read_text())
    assert len(texts) == 1


ENTRY = {"check": "default", "path": "a", "option": "b", "documented": "c", "actual": "d", "count": 1}


@pytest.mark.parametrize(
    "document",
    [
        "",
        "[]",
        "{}",
        "no",
        "[" * 100_000,
        '{"version": 2, "findings": []}',
        '{"version": 1, "findings": 3}',
        '{"version": 1, "findings": [3]}',
        *(
            json.dumps({"version": 1, "findings": [{**ENTRY, name: value}]})
            for name in ENTRY
            for value in (None, 0, True)
        ),
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, document: str) -> None:
    (tmp_path / "known.json").write_text(document)
    with pytest.raises(UsageError, match="is no baseline") as refused:
        read_baseline(tmp_path / "known.json")
    assert "--write-baseline" in refused.value.hint


def test_bytes_that_are_no_text_are_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(UsageError, match="is no baseline"):
        read_baseline(tmp_path / "known.json")


def test_a_missing_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't read baseline"):
        read_baseline(tmp_path / "known.json")


def test_a_baseline_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't write baseline"):
        write_baseline(tmp_path / "no such folder" / "known.json", Baseline())
