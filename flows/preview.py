"""What an index run would do, found out without a lock, an endpoint or a write."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from flows.job import IndexJob
from flows.ledger import left_out
from muniment.errors import NoIndex
from schemas.runs import RunReport, SourceRun
from tasks.changes import Changes, Known, classify_sources, known_files
from tasks.enumerate.listing import list_sources


def preview(job: IndexJob) -> RunReport:
    """The report of a run that stops before chunking: its `indexed` are the files that would be read."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    report = RunReport(run="", engine="dry run", started_at=now, finished_at=now, embedder=job.embedder.name)
    changes = classify_sources(list_sources(job.sources, job.seen), _known(job))
    report.sources = [_planned(change) for change in changes]
    return report


def _known(job: IndexJob) -> list[Known]:
    from muniment.store.reader import open_reader

    try:
        # What is withheld from answers is not read again either.
        with open_reader(job.index, admit_sensitive=True) as reader:
            states = reader.generation.sources
            same = {name: state.inputs == job.inputs.get(name) for name, state in states.items()}
            return known_files(reader, job.sources, same)
    except NoIndex:
        return [Known() for _ in job.sources]


def _planned(change: Changes) -> SourceRun:
    return SourceRun(
        name=change.listed.source.name,
        path=change.listed.source.path,
        commit=change.listed.listing.commit,
        worktree=change.listed.source.worktree,
        files=len(change.listed.listing.entries) + len(change.listed.listing.skipped),
        indexed=len(change.changed),
        unchanged=len(change.unchanged),
        deleted=len(change.gone),
        skipped=dict(sorted(Counter(skip.reason for skip in change.skipped).items())),
        left_out=left_out(change.skipped),
    )
