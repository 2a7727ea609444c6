"""The whole report as one JSON document: its keys are the fields of `schemas.claims.DriftReport`."""

from __future__ import annotations

from dataclasses import asdict

from muniment.drift.view import View
from muniment.inert import write_json
from schemas.claims import DriftReport


def render(report: DriftReport, view: View) -> str:
    """Every field of the report, and beside them `counts` (claims by verdict) and `elapsed_ms`."""
    beside = {"counts": report.counts, "elapsed_ms": round(view.elapsed_ms, 1)}
    return write_json({**asdict(report), **beside}, indent=1) + "\n"
