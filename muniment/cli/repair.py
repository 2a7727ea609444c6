"""`muniment repair`: mend what `muniment verify --deep` finds."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from muniment.cli.terminal import one_line, say
from muniment.cli.verify import say_verified
from muniment.errors import DONE, FOUND
from muniment.home import data_home, find_config

if TYPE_CHECKING:
    from flows.job import IndexJob
    from flows.repair import Repaired


def run(args: argparse.Namespace) -> int:
    """Prints what was wrong and what was done; returns DONE, or FOUND where anything is still wrong."""
    from flows.job import make_job
    from flows.repair import repair
    from muniment.chosen import need_folder
    from muniment.runner import Direct
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    settings = load_settings(config)
    need_folder(settings, home / "index")

    def job() -> IndexJob:
        return make_job(settings, config, home, os.environ)

    repaired = repair(home, job, Direct(), allow_shrink=args.allow_shrink)
    if args.json:
        say(json.dumps(_as_json(repaired), indent=1))
    else:
        _say_repaired(repaired)
    return DONE if repaired.after.ok else FOUND


def _as_json(repaired: Repaired) -> dict[str, object]:
    report = repaired.report.as_document() if repaired.report else None
    before, after = repaired.before.as_document(), repaired.after.as_document()
    numbers = asdict(repaired.made)
    shown = {"done": repaired.done, "made": numbers, "before": before, "after": after, "run": report}
    return {"ok": repaired.after.ok, **shown}


def _say_repaired(repaired: Repaired) -> None:
    say_verified(repaired.before, hints=False)
    if repaired.before.ok:
        say("nothing to mend")
        return
    say()
    for done in repaired.done:
        say(f"mended: {one_line(done)}")
    say()
    say_verified(repaired.after)
