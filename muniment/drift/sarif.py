"""The report as SARIF 2.1.0, which code scanning takes."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from muniment import __version__
from muniment.drift import wording
from muniment.drift.spans import change, columns_of, whole_word
from muniment.drift.view import View
from muniment.inert import one_line, write_json
from schemas.claims import CHECKS, DriftReport, Edit, Finding, Place

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "muniment/v1"
"""Of check, path, option and both values, and which of several alike it is: not of the line."""

_RULE_INDEX = {name: index for index, name in enumerate(CHECKS)}
_BRACKET = re.compile(r"[\\\[\]]")


def render(report: DriftReport, view: View) -> str:
    """One run with every rule, and a result for each finding with its truths and its suggested edit."""
    run = {
        "tool": {"driver": {"name": "muniment", "version": __version__, "rules": [*map(_rule, CHECKS)]}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": [*_notes(report)]}],
        "columnKind": "unicodeCodePoints",
        "results": [*_results(report)],
        "properties": {
            "commit": report.commit,
            "state": report.state,
            "files": report.files,
            "counts": report.counts,
            "silenced": report.silenced,
            "elapsed_ms": round(view.elapsed_ms, 1),
        },
    }
    return write_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str) -> dict[str, Any]:
    words = name.title().replace("-", "")
    text = CHECKS[name]
    return {
        "id": name,
        "name": words,
        "shortDescription": {"text": f"{text[0].upper()}{text[1:]}."},
        "defaultConfiguration": {"level": "warning"},
    }


def _notes(report: DriftReport) -> Iterator[dict[str, Any]]:
    return ({"level": "note", "message": {"text": one_line(note)}} for note in report.notes)


def _results(report: DriftReport) -> Iterator[dict[str, Any]]:
    columns = columns_of(report)
    alike: Counter[str] = Counter()
    for finding in report.findings:
        alike[finding.key] += 1
        yield _result(finding, columns(finding), alike[finding.key])


def _result(finding: Finding, columns: tuple[int, int] | None, number: int) -> dict[str, Any]:
    digest = hashlib.sha256(finding.key.encode("utf-8", "surrogatepass")).hexdigest()
    result: dict[str, Any] = {
        "ruleId": finding.check,
        "ruleIndex": _RULE_INDEX[finding.check],
        "level": "warning",
        "message": {"text": _message(finding)},
        "locations": [_location(Place(finding.path, finding.line), columns)],
        "partialFingerprints": {FINGERPRINT: f"{digest}:{number}"},
        "properties": {
            "option": finding.option,
            "documented": finding.documented,
            "actual": finding.actual,
            "since": finding.since,
        },
    }
    if related := [*_related(finding)]:
        result["relatedLocations"] = related
    if finding.edit:
        result["fixes"] = [_fix(finding.edit)]
    return result


def _message(finding: Finding) -> str:
    # Brackets make links in a message; the only one that is meant leads to the truth, related location 1.
    said = _BRACKET.sub(r"\\\g<0>", wording.whole(finding))
    if finding.truth is None:
        return said
    where = _BRACKET.sub(r"\\\g<0>", wording.place(finding.truth))
    return said.replace(where, f"[{where}](1)", 1)


def _related(finding: Finding) -> Iterator[dict[str, Any]]:
    truths = [(finding.truth, f"decided ({finding.won_by})" if finding.won_by else "decided")] if finding.truth else []
    truths += [(place, "also agrees") for place in finding.agreeing]
    truths += [(place, "differs") for place in finding.differing]
    for number, (place, said) in enumerate(truths, 1):
        yield {**_location(place, None), "id": number, "message": {"text": said}}


def _location(place: Place, columns: tuple[int, int] | None) -> dict[str, Any]:
    region = {"startLine": place.line}
    if columns:
        region |= {"startColumn": columns[0] + 1, "endColumn": columns[1] + 1}
    return {"physicalLocation": {"artifactLocation": _artifact(place.path), "region": region}}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}


def _fix(edit: Edit) -> dict[str, Any]:
    start, end, text = whole_word(change(edit.old, edit.new), edit.old)
    region = {"startLine": edit.line, "startColumn": start + 1, "endColumn": end + 1}
    replacement = {"deletedRegion": region, "insertedContent": {"text": text}}
    return {
        "description": {"text": "Write what the repository has"},
        "artifactChanges": [{"artifactLocation": _artifact(edit.path), "replacements": [replacement]}],
    }
