"""The evaluation flow: count what was used of what was gathered, and publish the figures beside the documents."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from muniment.errors import IndexMismatch, NoIndex
from muniment.runner import Runner
from schemas.effectiveness import EffectivenessReport
from schemas.versions import SCHEMA_VERSION
from tasks.effectiveness.evaluate import as_rows, evaluate_effectiveness


def evaluate(
    index: Path, log: Path, run: Runner, now: datetime, *, window_hours: int, keep_generations: int
) -> tuple[EffectivenessReport, int]:
    """The report over the window, and the generation that holds it now; documents and chunks are as they were.

    Raises NoIndex, IndexMismatch, Busy while another run writes, and UsageError for a log that can't be read.
    """
    from muniment.store.writer import open_writer

    with open_writer(index) as writer:
        published = writer.published
        if published is None:
            raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
        if published.schema != SCHEMA_VERSION:
            raise IndexMismatch(
                f"index at '{index}' has schema {published.schema}, this muniment writes {SCHEMA_VERSION}",
                "rebuild it with 'muniment index --force'",
            )
        report = run(evaluate_effectiveness, log, now, window_hours)
        writer.begin(published.fingerprint, published.dimension, beside=False)
        writer.replace("effectiveness", as_rows(report))
        tables = writer.seal(keep_generations)
        at = now.isoformat(timespec="seconds")
        writer.publish(published._replace(number=writer.number, published_at=at, tables=tables))
        run(writer.reclaim, keep_generations)
        assert writer.published is not None
        return report, writer.published.number
