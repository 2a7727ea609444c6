"""How a run ends: the state that it shows, and its numbers as artifacts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows import artifacts
from flows.deployments.slot import table_slot
from flows.deployments.steps import Prefect
from flows.index import Watch
from flows.index import index as run_index
from flows.job import IndexJob
from flows.nightly import NightlyJob
from flows.nightly import nightly as run_night
from flows.rebuild import rebuild as run_rebuild
from muniment.errors import MunimentError
from schemas.nightly import NightlyReport
from schemas.runs import RunReport


def finish(work: Callable[[], State[Any]]) -> State[Any]:
    """The state the run ends in; a named error becomes one that shows its line and its hint."""
    try:
        return work()
    except MunimentError as error:
        return Failed(message=f"{error.message}\nhint: {error.hint}" if error.hint else error.message, data=error)


def run_to_end(job: IndexJob, watch: Watch) -> State[Any]:
    """Indexes or rebuilds, and returns the state that says what came of it."""
    with table_slot(job):
        report = (run_rebuild if job.rebuild else run_index)(replace(job, engine="prefect"), Prefect(job), watch)
    _show(report)
    done = f"generation {report.generation}: {report.documents} documents, {report.chunks} chunks"
    if lacking := report.lacking:
        return Completed(name="Partly", message=f"{done}; {lacking}", data=report)
    return Completed(message=done, data=report)


def night_to_end(job: NightlyJob, watch: Watch) -> State[Any]:
    """Runs a night, and returns the state that says what came of it."""
    made = replace(job, index=replace(job.index, engine="prefect"))
    with table_slot(made.index):
        report = run_night(made, Prefect(made.index), watch)
    _show(report.index)
    _show_night(report)
    return Completed(message=report.verdict, data=report)


def _show(report: RunReport) -> None:
    """The run's numbers as artifacts, under keys that stay the same from run to run."""
    create_markdown_artifact(key="index-run", markdown=artifacts.as_markdown(report), description="The index run")
    _show_tables(artifacts.as_tables(report))


def _show_night(report: NightlyReport) -> None:
    create_markdown_artifact(key="nightly", markdown=artifacts.night_as_markdown(report), description="The night")
    _show_tables(artifacts.night_as_tables(report))


def _show_tables(tables: Mapping[str, artifacts.Table]) -> None:
    for key, table in tables.items():
        create_table_artifact(key=key, table=table.rows, description=table.title)


class _Said(logging.Filter):
    """Drops what the engine of a deployed run logs, with a traceback, of an error that is the run's state already."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], MunimentError))


logging.getLogger("prefect.flow_runs").addFilter(_Said())
