"""The quality flow: measure -> ask canaries -> validate -> write pages, over the published generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.errors import ProviderError
from muniment.noop import SEEN
from muniment.runner import Runner
from muniment.settings.sections import QualitySettings
from schemas.expectations import Limits, expectations
from schemas.quality import QualityReport
from tasks.quality.canaries import Canary, ask_canaries, title_canaries, unasked_canaries
from tasks.quality.check import report
from tasks.quality.pages import write_pages
from tasks.quality.published import measure_published, token_cap
from tasks.quality.validate import validate

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.embedders import Embedder
    from muniment.store.reader import Reader


@dataclass(frozen=True, slots=True)
class QualityJob:
    """What is checked, against which bounds, and where the pages go."""

    seen: Path
    """Folder of what earlier runs saw of working copies."""
    runs: Path
    """Folder of the run ledger, which says what counts are usual."""
    limits: Limits
    """The token cap in it is the generation's own."""
    canaries: tuple[Canary, ...] = ()
    automatic: int = 0
    """So many more canaries are made from titles."""
    pages: Path | None = None
    """Folder of the site; without one no pages are written."""


def make_quality_job(settings: QualitySettings, home: Path, *, pages: bool) -> QualityJob:
    """The job for a home, with the site in its `reports/quality/` where pages are wanted."""
    return QualityJob(
        seen=home / "index" / SEEN,
        runs=home / "runs",
        limits=Limits(max_age_days=settings.max_age_days, count_low=settings.count_low, count_high=settings.count_high),
        canaries=tuple(Canary(one.question, one.path) for one in settings.canaries),
        automatic=settings.auto_canaries,
        pages=home / "reports" / "quality" if pages else None,
    )


def quality(job: QualityJob, reader: Reader, embedder: Embedder | None, run: Runner, now: datetime) -> QualityReport:
    """What the reader's generation is worth: every expectation with its outcome.

    Without an embedder the canaries are asked by their words only.
    """
    wanted = expectations(replace(job.limits, max_tokens=token_cap(reader.generation)))
    measured = run(measure_published, reader, job.seen, job.runs, now)
    measured["canaries"] = _canaries(job, reader, embedder, run)
    found = run(validate, measured, wanted, docs=job.pages is not None)
    made = report(found.outcomes, measured, now, reader.generation.number)
    if job.pages:
        run(write_pages, job.pages, made, found.pages)
    return made


def _canaries(job: QualityJob, reader: Reader, embedder: Embedder | None, run: Runner) -> pa.Table:
    from muniment.search import Question, search

    def find(question: str, limit: int) -> Sequence[str]:
        hits = search(reader, Question(question, limit), embedder).hits
        # `also` names the places of equal texts as path:line.
        return [path for hit in hits for path in (hit.path, *(also.rpartition(":")[0] for also in hit.also))]

    # Other titles for each generation, the same ones for each look at it.
    drawn = title_canaries(reader.chunks(["title", "path"]), job.automatic, reader.generation.number)
    canaries = (*job.canaries, *drawn)
    try:
        return run(ask_canaries, canaries, find)
    except ProviderError as error:
        return unasked_canaries(canaries, error.message)
