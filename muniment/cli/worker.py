"""`muniment worker`: Prefect's worker, started where no settings or code of somebody else lie."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from muniment.cli.engine import prefect_api
from muniment.errors import SettingsError
from muniment.home import CHECKOUT


def run(args: argparse.Namespace) -> int:
    """Becomes the worker; returns only by raising, when that can't be."""
    if not prefect_api(os.environ):
        raise SettingsError("no Prefect API is configured", "name one in PREFECT_API_URL (docs/prefect.md)")
    for name in ("MUNIMENT_CONFIG", "MUNIMENT_HOME"):
        if os.environ.get(name):
            os.environ[name] = str(Path(os.environ[name]).absolute())
    # Prefect obeys prefect.toml, pyproject.toml and .env of its working folder, down to a logging configuration that
    # names code; and Python would look for modules there first.
    os.chdir(CHECKOUT)
    os.environ.setdefault("DO_NOT_TRACK", "1")
    command = [sys.executable, "-P", "-m", "prefect", "worker", "start", "--pool", args.pool, "--type", "process"]
    sys.stdout.flush()
    os.execv(sys.executable, [*command, *(["--run-once"] if args.once else [])])  # noqa: S606 - our own interpreter
