"""Workflow commands, which GitHub Actions shows beside the lines of a pull request."""

from __future__ import annotations

from muniment.drift import wording
from muniment.drift.spans import columns_of
from muniment.drift.view import View
from muniment.inert import one_line
from schemas.claims import DriftReport


def render(report: DriftReport, _: View) -> str:
    """One `::warning` a finding; nothing else, since a log line of another form is only noise there."""
    columns = columns_of(report)
    lines = []
    for finding in report.findings:
        properties = {"file": one_line(finding.path), "line": str(finding.line)}
        if span := columns(finding):
            properties |= {"col": str(span[0] + 1), "endColumn": str(span[1] + 1)}
        properties["title"] = f"drift: {finding.check}"
        named = ",".join(f"{name}={_property(text)}" for name, text in properties.items())
        lines.append(f"::warning {named}::{_data(wording.whole(finding))}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
