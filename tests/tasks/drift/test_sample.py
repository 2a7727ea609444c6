"""The sample corpus, whose stale sentences are planted and listed: each is found, and nothing else is."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from schemas.claims import DriftReport
from tasks.drift.find import DriftOptions, find_drift
from tests.conftest import ROOT, SAMPLE
from tests.tasks.drift.trees import tree_of

FACTS: dict[str, Any] = json.loads((ROOT / "tests" / "sample_facts.json").read_text())


@pytest.fixture(scope="module")
def report() -> DriftReport:
    files = {str(path.relative_to(SAMPLE)): path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file()}
    return find_drift(tree_of(files), DriftOptions(), repository="ops", state="head")


def place(fact: dict[str, Any]) -> tuple[str, int]:
    return fact["path"], fact["line"]


def test_every_planted_stale_default_is_found_with_its_truth(report: DriftReport) -> None:
    found = {
        (one.path, one.line, one.documented, one.actual, one.truth.path, one.truth.line)
        for one in report.findings
        if one.check == "default" and one.truth
    }
    planted = {
        (*place(fact["doc"]), fact["documented"], fact["actual"], *place(fact["truth"])) for fact in FACTS["stale"]
    }
    assert found == planted


def test_every_default_that_is_right_agrees(report: DriftReport) -> None:
    agreeing = {(one.claim.path, one.claim.line) for one in report.judgements if one.verdict == "agrees"}
    assert {place(fact["doc"]) for fact in FACTS["agreeing"]} - agreeing == set()


def test_every_other_planted_fault_is_found_and_no_more(report: DriftReport) -> None:
    found = Counter((one.check, one.path, one.line) for one in report.findings if one.check != "default")
    planted = Counter(
        [("unknown-option", *place(fact["doc"])) for fact in FACTS["unknown_options"]]
        + [("undocumented-setting", *place(fact["truth"])) for fact in FACTS["undocumented_settings"]]
        + [("dead-link", *place(fact["doc"])) for fact in FACTS["dead_links"]]
        + [("unparsed-flag", *place(fact["doc"])) for fact in FACTS["unparsed_flags"]]
    )
    assert found == planted
