"""`muniment index`: bring the index up to date."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.cli.left_out import secrets, types_left_out, withheld
from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, PARTLY, UsageError
from muniment.generation import refuse_busy
from muniment.home import Config, data_home, find_config
from muniment.noop import nothing_to_do
from muniment.worded import counted
from schemas.generations import Generation

if TYPE_CHECKING:
    from flows.index import Watch
    from schemas.runs import RunReport, SourceRun

SHOWN_SKIPS = 20


def run(args: argparse.Namespace) -> int:
    """Indexes and returns DONE, or PARTLY when vectors are pending or a file could not be read."""
    if args.name and len(args.repo) != 1:
        raise UsageError("--name needs exactly one REPO")
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    if not (args.force or args.dry_run):
        same = nothing_to_do(home / "index", args.repo, config, os.environ, worktree=args.worktree)
        if same and _is_meant(same, args):
            _say_unchanged(same, as_json=args.json)
            return DONE
    if not args.dry_run:
        refuse_busy(home / "index")
    report = _index(args, config, home)
    _say_report(report, home, as_json=args.json, dry=args.dry_run)
    return PARTLY if report.lacking else DONE


def _is_meant(same: Generation, args: argparse.Namespace) -> bool:
    """Whether what is up to date is the source that was named: a path may have been indexed under another name."""
    place = str(Path(args.repo[0]).absolute()) if args.name else ""
    return not args.name or [one.name for one in same.sources.values() if one.path == place] == [args.name]


def _index(args: argparse.Namespace, config: Config, home: Path) -> RunReport:
    from dataclasses import replace

    from flows.job import make_job
    from muniment.cli.engine import choose_engine
    from muniment.settings import load_settings

    settings = load_settings(config)
    job = make_job(settings, config, home, os.environ, paths=args.repo, name=args.name, worktree=args.worktree)
    job = replace(job, allow_shrink=args.allow_shrink)
    if args.dry_run:
        from flows.preview import preview

        return preview(job)
    with _progress() as watch:
        return choose_engine(args.engine, os.environ).run(job, rebuild=args.force, watch=watch)


class _progress:  # noqa: N801 - used like a function
    """A progress bar on a terminal, from the second second on."""

    def __enter__(self) -> Watch:
        from tqdm import tqdm

        self._bar = tqdm(total=0, unit="text", delay=1, disable=None, leave=False, file=sys.stderr)
        return self._show

    def _show(self, stage: str, done: int, total: int) -> None:
        self._bar.set_description(stage, refresh=False)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        self._bar.close()


def _say_unchanged(generation: Generation, *, as_json: bool) -> None:
    if as_json:
        say(json.dumps({"unchanged": True, "generation": generation.number}))
        return
    for source in generation.sources.values():
        held = f"{counted(source.documents, 'document')}, {counted(source.chunks, 'chunk')}"
        at = f" at {source.commit[:10]}" if source.commit else ""
        say(f"{one_line(source.name)}: nothing new{at}, {held}")


def _say_report(report: RunReport, home: Path, *, as_json: bool, dry: bool) -> None:
    if as_json:
        say(json.dumps(report.as_document(), indent=1))
        return
    for source in report.sources:
        _say_source(source, dry=dry)
    if dry:
        say("dry run: nothing was written")
        return
    kept = f", {report.from_cache} known from before" if report.from_cache else ""
    say(f"vectors: {report.embedded} embedded{kept}, {report.pending} pending")
    if report.lacking:
        note(f"note: {report.lacking}")
        note("hint: run 'muniment index' again when that is mended; what was embedded is kept")
    for skip in report.skips[:SHOWN_SKIPS]:
        detail = f" ({one_line(skip['detail'])})" if skip["detail"] else ""
        note(f"skipped: {one_line(skip['path'])}: {skip['reason']}{detail}")
    if len(report.skips) > SHOWN_SKIPS:
        note(f"skipped: {len(report.skips) - SHOWN_SKIPS} more, listed in run.json")
    total = sum(report.seconds.values())
    slowest = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in report.seconds.items() if seconds >= 0.1)
    kept_at = home / "runs" / report.run / "run.json"
    here = Path.cwd()
    shown = kept_at.relative_to(here) if kept_at.is_relative_to(here) else kept_at
    say(f"generation {report.generation}, {total:.1f} s ({slowest}); {shown}")


def _say_source(source: SourceRun, *, dry: bool) -> None:
    at = f" at {source.commit[:10]}" if source.commit else ""
    how = " (working copies)" if source.worktree else ""
    held = "" if dry else f": {counted(source.documents, 'document')}, {counted(source.chunks, 'chunk')}"
    say(f"{one_line(source.name)}{at}{how}{held}")
    reasons = ", ".join(f"{count} {reason}" for reason, count in source.skipped.items())
    skipped = f"{sum(source.skipped.values())} skipped" + (f" ({reasons})" if reasons else "")
    done = "to be read" if dry else "indexed"
    say(f"  {counted(source.files, 'file')}: {source.indexed} {done}, {source.unchanged} unchanged, {skipped}")
    if source.withheld:
        say(f"  sensitive: {withheld(source.withheld)}, withheld unless archive.admit_sensitive")
    if source.secrets:
        say(f"  secrets: {secrets(source.secrets)}")
    if source.left_out:
        say(f"  left out by type: {types_left_out(source.left_out)}")
    if source.deleted:
        say(f"  {counted(source.deleted, 'document')} gone since the last run")
    for text in (*source.notes, *source.doubts):
        note(f"note: {text}")
    if not (source.documents or source.indexed or source.unchanged):
        note(f"note: nothing in '{one_line(source.name)}' is documentation that patterns and settings let in")
