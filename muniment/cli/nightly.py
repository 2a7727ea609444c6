"""`muniment nightly`: index, drift, effectiveness, quality and the report, in one go."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, PARTLY
from muniment.home import data_home, find_config

if TYPE_CHECKING:
    from pathlib import Path

    from schemas.nightly import NightlyReport, OpenFinding

SHOWN_NEW = 10


def run(args: argparse.Namespace) -> int:
    """Runs the night, prints its verdict and what is new; returns DONE, or PARTLY where the index lacks something."""
    from flows.index import quiet
    from flows.nightly import make_nightly_job
    from muniment.cli.engine import choose_engine
    from muniment.report.page import as_document
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    job = make_nightly_job(load_settings(config), config, home, os.environ)
    night = choose_engine(args.engine, os.environ).run_night(job, quiet)
    if args.json:
        say(json.dumps(as_document(night), indent=1, default=str))
    else:
        _say(night, job.reports)
    return PARTLY if night.index.lacking else DONE


def _say(night: NightlyReport, reports: Path) -> None:
    say(one_line(night.verdict))
    for drift in night.drift:
        fresh = [opened for opened in drift.open if opened.new]
        say(f"{one_line(drift.source)}: {len(drift.open)} open, {len(fresh)} new, {len(drift.fixed)} fixed")
        for opened in fresh[:SHOWN_NEW]:
            say(f"  {_new(opened)}")
        if len(fresh) > SHOWN_NEW:
            say(f"  and {len(fresh) - SHOWN_NEW} more new ones")
    if night.index.lacking:
        note(f"note: {one_line(night.index.lacking)}")
    spent = ", ".join(f"{step} {seconds:.1f}" for step, seconds in night.seconds.items())
    say(f"generation {night.index.generation}, {sum(night.seconds.values()):.1f} s ({spent})")
    for name, place in night.pages.items():
        say(f"{name}: {reports / place}")


def _new(opened: OpenFinding) -> str:
    finding = opened.finding
    return one_line(f"new: {finding.path}:{finding.line} {finding.message}")
