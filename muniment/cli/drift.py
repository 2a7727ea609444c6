"""`muniment drift`: where a repository's documents and its files disagree."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from muniment.cli.terminal import emit, note
from muniment.errors import DONE, FOUND, UsageError
from muniment.home import find_config

if TYPE_CHECKING:
    from muniment.drift.baseline import Baseline
    from muniment.drift.look import Asked, Look
    from muniment.settings import Settings
    from schemas.claims import DriftReport
    from schemas.files import Source


def run(args: argparse.Namespace) -> int:
    """Prints the report and returns DONE, or with --check FOUND when findings are left."""
    from muniment.drift import FORMATS
    from muniment.drift.baseline import read_baseline
    from muniment.drift.look import look
    from muniment.drift.view import View
    from muniment.settings import load_settings
    from muniment.settings.sources import configured_sources

    began = monotonic()
    form = _format(args)
    config = find_config(args.config, os.environ)
    settings = load_settings(config)
    asked = _as_vault(_asked(args, settings), args, configured_sources(settings, config))
    known = read_baseline(args.baseline) if args.baseline else None
    looked = look(asked)
    report = _silenced(looked, known, asked) if known else looked.report
    if args.write_baseline:
        report = _written(looked, args.write_baseline)
    if asked.kind == "git":
        report = _dated(report, looked.top, settings.drift.max_commits)
    for said in report.notes:
        note(f"note: {said}")
    emit(FORMATS[form](report, View(args.all, (monotonic() - began) * 1000, looked.originals)))
    return FOUND if args.check and report.findings else DONE


def _format(args: argparse.Namespace) -> str:
    if args.json and args.format not in (None, "json"):
        raise UsageError(f"--json contradicts --format {args.format}", "leave one of them out")
    return "json" if args.json else args.format or "text"


def _asked(args: argparse.Namespace, settings: Settings) -> Asked:
    from muniment.drift.look import Asked
    from muniment.drift.named import choose_checks

    return Asked(
        repository=args.repo,
        state="staged" if args.staged else "worktree" if args.worktree else "head",
        checks=choose_checks(_names(args.checks) or settings.drift.checks, _names(args.skip)),
        order=settings.drift.order,
        only=None if args.only is None else tuple(args.only),
        include=settings.index.include,
        exclude=settings.index.exclude,
        max_bytes=settings.index.max_bytes,
        index_file=os.environ.get("GIT_INDEX_FILE", ""),
    )


def _as_vault(asked: Asked, args: argparse.Namespace, sources: Sequence[Source]) -> Asked:
    """What is asked, of a folder that the settings name as a vault; unless a state of git was asked for."""
    place = str(Path(args.repo).absolute())
    vault = next((source for source in sources if source.kind == "vault" and source.path == place), None)
    if vault is None or args.staged or args.worktree:
        return asked
    return replace(
        asked, kind="vault", state="worktree", include=vault.include, exclude=vault.exclude, notes=vault.notes
    )


def _names(given: list[str]) -> list[str]:
    return [name for names in given for name in names.split(",") if name]


def _silenced(looked: Look, known: Baseline, asked: Asked) -> DriftReport:
    """The report without what the baseline knows."""
    report = looked.report
    # Of findings that were not asked for, nothing tells whether they are gone.
    stale = 0 if looked.narrowed else known.stale(report.findings, asked.checks)
    entries = "1 entry of the baseline is" if stale == 1 else f"{stale} entries of the baseline are"
    said = (f"{entries} no longer found",) if stale else ()
    return known.silence(replace(report, notes=(*report.notes, *said)))


def _written(looked: Look, path: Path) -> DriftReport:
    """The report without its findings, which a baseline knows from now on."""
    from muniment.drift.baseline import baseline_of, write_baseline
    from muniment.drift.wording import counted

    if looked.narrowed:
        raise UsageError(
            "a baseline of a part of the repository would forget all other findings",
            "leave out --only, and name the repository's top folder",
        )
    known = baseline_of(looked.report.findings)
    write_baseline(path, known)
    note(f"note: {counted(len(looked.report.findings), 'finding')} written to '{path}'")
    return known.silence(looked.report)


def _dated(report: DriftReport, top: str, max_commits: int) -> DriftReport:
    """The report with the commit from which each finding's places differ."""
    if not (max_commits and report.findings):
        return report
    from tasks.drift.since import since

    return replace(report, findings=since(top, report.findings, max_commits=max_commits))
