"""The nightly flow: effectiveness -> index (with claims) -> drift -> quality -> report."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from flows.index import Watch, index, quiet
from flows.job import IndexJob, make_job
from flows.quality import QualityJob, make_quality_job, quality
from muniment.assembly import LOG
from muniment.chosen import question_embedder
from muniment.drift.look import Asked, look
from muniment.home import REPORTS, Config
from muniment.inert import write_json
from muniment.report.history import compare, continued, load_history, save_history
from muniment.report.page import as_document
from muniment.report.write import write_pages
from muniment.runner import Runner
from muniment.settings import Settings
from schemas.claims import DriftReport
from schemas.files import Source
from schemas.nightly import NightlyReport
from schemas.quality import QualityReport
from tasks.drift.since import since
from tasks.effectiveness.evaluate import evaluate_effectiveness

LOOKED_AT = ("git", "vault")
"""Kinds of sources that are searched for drift: letters and bills are no documentation of anything here."""


@dataclass(frozen=True, slots=True)
class NightlyJob:
    """What a night is asked to do."""

    home: Path
    settings: Settings
    index: IndexJob
    quality: QualityJob

    @property
    def reports(self) -> Path:
        """Where pages and history go."""
        return self.home / REPORTS


def make_nightly_job(settings: Settings, config: Config, home: Path, environ: Mapping[str, str]) -> NightlyJob:
    """The job over every source that is configured or in the index. Raises UsageError where there is none."""
    job = make_job(settings, config, home, environ)
    every = replace(job, sources=(*job.sources, *job.others), others=(), stamp_claims=True)
    return NightlyJob(home, settings, every, make_quality_job(settings.quality, home, pages=True))


def nightly(job: NightlyJob, run: Runner, watch: Watch = quiet) -> NightlyReport:
    """Brings the index up to date, looks for drift, checks the data, and writes what it found.

    Raises what the index flow raises; a night that fails has published nothing, and the last report still stands.
    """
    seconds: dict[str, float] = {}
    started = datetime.now(UTC)
    with _timed(seconds, "effectiveness"):
        used = run(evaluate_effectiveness, job.home / LOG, datetime.now(UTC))
    with _timed(seconds, "index"):
        indexed = index(replace(job.index, used=used), run, watch)
    with _timed(seconds, "drift"):
        looks = {
            source.name: run(check_drift, asked_of(source, job.settings), job.settings.drift.max_commits)
            for source in job.index.sources
            if source.kind in LOOKED_AT
        }
    with _timed(seconds, "quality"):
        checked = _check_quality(job, run)
    history = load_history(job.reports)
    drift = tuple(compare(history, name, report, _moment(started)) for name, report in looks.items())
    night = NightlyReport(
        run=indexed.run,
        engine=job.index.engine,
        started_at=_moment(started),
        finished_at=_moment(datetime.now(UTC)),
        index=indexed,
        drift=drift,
        effectiveness=used,
        quality=checked,
        seconds=seconds,
    )
    written = run(write_report, night, job.reports, job.index.runs / indexed.run)
    save_history(job.reports, continued(history, drift))
    return written


def asked_of(source: Source, settings: Settings) -> Asked:
    """What is looked for in a source: what the operator's settings say, in the state that is indexed."""
    return Asked(
        repository=source.path,
        state="head" if source.kind == "git" and not source.worktree else "worktree",
        checks=frozenset(settings.drift.checks),
        order=settings.drift.order,
        include=source.include,
        exclude=source.exclude,
        max_bytes=source.max_bytes,
        kind=source.kind,
        notes=source.notes,
    )


def check_drift(asked: Asked, max_commits: int = 200) -> DriftReport:
    """The report on one source; in a repository, each finding with the commit from which it holds."""
    looked = look(asked)
    found = looked.report.findings
    if asked.kind != "git":
        return looked.report
    dated = since(looked.top, found, max_commits=max_commits, state=asked.state) if found and max_commits else found
    return replace(looked.report, findings=dated)


def write_report(night: NightlyReport, reports: Path, run_folder: Path) -> NightlyReport:
    """Writes the pages and nightly.json, and returns the night with their places."""
    named = replace(night, pages=write_pages(night, reports))
    text = write_json(as_document(named), indent=1, default=str) + "\n"
    for folder in (reports, run_folder):
        (folder / "nightly.json").write_text(text, encoding="utf-8")
    return named


def _check_quality(job: NightlyJob, run: Runner) -> QualityReport:
    from muniment.store.reader import open_reader

    with open_reader(job.index.index, admit_sensitive=job.settings.archive.admit_sensitive) as reader:
        embedder = question_embedder(job.settings, reader.generation, "hybrid")
        return quality(job.quality, reader, embedder, run, datetime.now(UTC))


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


@contextlib.contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] = round(time.perf_counter() - began, 3)
