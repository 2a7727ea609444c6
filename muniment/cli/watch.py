"""`muniment watch`: index again whenever files of the sources have changed."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, MunimentError, Shrunk, UsageError
from muniment.home import Config, data_home, find_config

if TYPE_CHECKING:
    from flows.job import IndexJob
    from schemas.files import Source
    from schemas.runs import RunReport

LEAST_MS, MOST_MS = 50, 10_000


def run(args: argparse.Namespace) -> int:
    """Watches until it is interrupted; raises what the first look at settings and sources raises."""
    from flows.watch import wakes, watched_folders

    if not LEAST_MS <= args.settle_ms <= MOST_MS:
        raise UsageError(f"--settle-ms is {args.settle_ms}", f"choose between {LEAST_MS} and {MOST_MS}")
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    watcher = _Watcher(args, config, home)
    folders = watched_folders(watcher.job().sources)
    note(f"watching {', '.join(map(str, folders))}; stop with ctrl-c")
    for _ in wakes(folders, home, args.settle_ms, lambda: watcher.owed):
        watcher.refresh()
    return DONE


def _hint(error: MunimentError) -> str:
    """What to do: the watch itself takes no `--allow-shrink`, or it would empty the index of a folder that is away."""
    return "if that is right, run 'muniment index --allow-shrink'" if isinstance(error, Shrunk) else error.hint


class _Watcher:
    """Indexes, and says what changed in one line; a failure is said once, and does not end the watch."""

    def __init__(self, args: argparse.Namespace, config: Config, home: Path) -> None:
        self._args = args
        self._config = config
        self._home = home
        self._failure = ""
        self.owed = False
        """Whether a run failed that only needs another try."""

    def job(self) -> IndexJob:
        from flows.job import make_job
        from muniment.settings import load_settings

        settings = load_settings(self._config)
        return make_job(
            settings, self._config, self._home, os.environ, paths=self._args.path, worktree=self._args.worktree
        )

    def refresh(self) -> None:
        try:
            report = self._index()
        except MunimentError as error:
            self.owed = error.transient
            if error.message != self._failure:
                note(f"not indexed: {error.message}" + (f" ({hint})" if (hint := _hint(error)) else ""))
            self._failure = error.message
            return
        self.owed, self._failure = False, ""
        if report and (report.counts["indexed"] or report.counts["deleted"]):
            self._say(report)
            sys.stdout.flush()  # somebody may read along through a pipe

    def _index(self) -> RunReport | None:
        """The report of a run, or None where there was nothing to do."""
        from flows.index import quiet
        from muniment.cli.engine import choose_engine
        from muniment.noop import nothing_to_do

        job = self.job()
        away = tuple(source for source in job.sources if not Path(source.path).is_dir())
        if 0 < len(away) < len(job.sources):
            job = self._without(job, away)
        else:
            asked = (self._home / "index", self._args.path, self._config, os.environ)
            if nothing_to_do(*asked, worktree=self._args.worktree):
                return None
        return choose_engine("direct", os.environ).run(job, rebuild=False, watch=quiet)

    def _without(self, job: IndexJob, away: tuple[Source, ...]) -> IndexJob:
        """The job over those sources that are there: one that is not mounted keeps no other from being indexed."""
        here = tuple(source for source in job.sources if source not in away)
        return replace(job, sources=here, others=(*job.others, *away))

    def _say(self, report: RunReport) -> None:
        if self._args.json:
            say(json.dumps({"at": report.finished_at, "generation": report.generation, **report.counts}))
            return
        counts = report.counts
        done = f"{counts['indexed']} indexed, {counts['deleted']} gone"
        faults = f", {len(counts['errors'])} can't be read" if counts["errors"] else ""
        names = ", ".join(one_line(source.name) for source in report.sources)
        spent = f"{counts['duration_ms'] / 1000:.1f} s, generation {report.generation}"
        at = datetime.fromisoformat(report.finished_at).astimezone()
        say(f"{at:%H:%M:%S} {names}: {done}{faults}; {report.documents} documents ({spent})")
