"""`muniment quality`: check the published generation against everything that is expected of it."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from muniment.cli.terminal import one_line, say
from muniment.errors import DONE, FOUND
from muniment.home import data_home, find_config

if TYPE_CHECKING:
    from pathlib import Path

    from schemas.quality import Outcome, QualityReport

SHOWN_OFFENDERS = 3


def run(args: argparse.Namespace) -> int:
    """Prints the verdict and what does not hold, and returns DONE, or FOUND where any expectation fails."""
    from flows.quality import make_quality_job, quality
    from muniment.chosen import generations_of, question_embedder
    from muniment.runner import Direct
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    settings = load_settings(config)
    job = make_quality_job(settings.quality, home, pages=args.docs)
    with generations_of(settings, home).open(admit_sensitive=settings.archive.admit_sensitive) as reader:
        embedder = question_embedder(settings, reader.generation, "hybrid")
        report = quality(job, reader, embedder, Direct(), datetime.now(UTC))
    if args.json:
        say(json.dumps(_as_json(report, job.pages), indent=1))
    else:
        _say_report(report, job.pages)
    return DONE if report.ok else FOUND


def _as_json(report: QualityReport, pages: Path | None) -> dict[str, object]:
    about = {"verdict": report.verdict, "ok": report.ok, "pages": str(pages / "index.html") if pages else ""}
    return about | asdict(report)


def _say_report(report: QualityReport, pages: Path | None) -> None:
    say(report.verdict)
    for outcome in report.failed:
        say()
        _say_failed(outcome)
    say()
    counts = ", ".join(f"{table} {rows}" for table, rows in report.rows.items())
    say(f"generation {report.generation}, rows: {counts}")
    if pages:
        say(f"pages: {pages / 'index.html'}")


def _say_failed(outcome: Outcome) -> None:
    say(f"{outcome.severity}: {outcome.says}")
    say(f"  {outcome.table}.{outcome.name}: {one_line(outcome.observed)}")
    for offender in outcome.sample[:SHOWN_OFFENDERS]:
        seen = f"  {offender.value}" if offender.telling else ""
        say(f"  - {one_line(offender.place)}{one_line(seen)}")
    if outcome.unexpected > SHOWN_OFFENDERS:
        say(f"  - {outcome.unexpected - SHOWN_OFFENDERS} more")
