"""`muniment doctor`: check that everything an index needs is there."""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime

from muniment.cli.checkup import bucket, doors, hosts, indexed, machine
from muniment.cli.checkup.case import FAIL, OK, WARN, Case, Check
from muniment.cli.terminal import one_line, say
from muniment.errors import DONE, FOUND, MunimentError, SettingsError
from muniment.home import Config, data_home, find_config
from muniment.settings import Settings, load_settings
from muniment.worded import counted

Look = Callable[[Case], Iterator[Check]]

CHECKS: dict[str, Look] = {
    "python": machine.python,
    "packages": machine.packages,
    "git": machine.git,
    "home": machine.home,
    "filesystem": machine.file_system,
    "disk": machine.disk,
    "clock": machine.clock,
    "index": indexed.index,
    "writer": indexed.writer,
    "bucket": bucket.bucket,
    "source": indexed.sources,
    "embedder": hosts.embedder,
    "vectors": indexed.vectors,
    "model": hosts.model,
    "prefect": hosts.prefect,
    "egress": hosts.egress,
    "hook": doors.hooks,
    "serve": doors.serve,
}
"""In the order in which they are said; each is asked, whatever the others found."""

_MARKS = {OK: "ok  ", WARN: "warn", FAIL: "FAIL"}


def run(args: argparse.Namespace) -> int:
    """Prints each check and returns DONE, or FOUND when one failed; a warning fails nothing."""
    checks = list(_examine(args))
    if args.json:
        say(json.dumps([asdict(check) for check in checks], indent=1))
    else:
        for check in checks:
            say(f"{_MARKS[check.state]}  {check.what:10} {one_line(check.said)}")
            if check.hint and check.state != OK:
                say(f"      {'':10} hint: {one_line(check.hint)}")
        say(_summary(checks))
    return FOUND if any(check.state == FAIL for check in checks) else DONE


def _examine(args: argparse.Namespace) -> Iterator[Check]:
    config, settings = Config(None, "", {}), Settings.model_construct()
    try:
        config = find_config(args.config, os.environ)
        settings = load_settings(config)
        yield Check("settings", OK, str(config.path or "no file; defaults and environment"))
    except SettingsError as error:
        # The rest is looked at all the same, as it would be by default.
        yield Check("settings", FAIL, error.message, error.hint)
    case = Case(data_home(args.home, os.environ, config), config, settings, os.environ, datetime.now(UTC))
    for what, look in CHECKS.items():
        try:
            yield from look(case)
        except MunimentError as error:
            yield Check(what, FAIL, error.message, error.hint)
        except OSError as error:
            yield Check(what, FAIL, str(error), "see who may read it, and whether it is mounted")


def _summary(checks: list[Check]) -> str:
    counts = Counter(check.state for check in checks)
    bad = {counted(counts[FAIL], "failure"): counts[FAIL], counted(counts[WARN], "warning"): counts[WARN]}
    return ", ".join(said for said, count in bad.items() if count) or "all is well"
