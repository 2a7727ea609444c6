"""The flows as Prefect runs them: each step a named, separately retried task. The only file that knows Prefect."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar, cast

import httpx
from prefect import flow, get_client, get_run_logger, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.settings import PREFECT_API_URL, PREFECT_CLIENT_MAX_RETRIES, temporary_settings
from prefect.states import Completed, Failed
from prefect.tasks import Task
from prefect.utilities.annotations import quote

from flows import artifacts
from flows.index import Watch, quiet
from flows.index import index as run_index
from flows.job import IndexJob, make_job
from flows.nightly import NightlyJob, make_nightly_job
from flows.nightly import nightly as run_night
from flows.rebuild import rebuild as run_rebuild
from muniment.errors import Busy, MunimentError, ProviderError, ProviderReply, ProviderUnavailable, SettingsError
from muniment.home import data_home, find_config
from muniment.noop import nothing_to_do
from muniment.runner import ATTEMPTS, is_transient
from muniment.settings import load_settings
from schemas.nightly import NightlyReport
from schemas.runs import RunReport

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

RETRY_DELAYS_S = [1.0, 5.0]
LONGEST_PAUSE_S = 30.0
"""Between two looks at whether another run has let go of the index."""
REACH_TIMEOUT_S = 2.0

TASK_NAMES = {
    "ask_dimension": "ask-dimension",
    "list_sources": "enumerate",
    "classify_sources": "classify",
    "chunk_sources": "chunk",
    "check_chunks": "check-chunks",
    "embed_batch": "embed",
    "upsert_changes": "upsert",
    "fill_vectors": "upsert-vectors",
    "check_claims": "check-claims",
    "evaluate_effectiveness": "evaluate-effectiveness",
    "check_drift": "check-drift",
    "measure_published": "measure",
    "ask_canaries": "ask-canaries",
    "validate": "validate",
    "write_pages": "write-quality-pages",
    "write_report": "report",
    "reclaim": "reclaim",
}


class Prefect:
    """Runs each step as a task of its own, inside the flow that is running."""

    def __call__(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the step returns; transient errors are retried by Prefect."""
        return _run_task(step, TASK_NAMES[step.__name__], args, kwargs)

    def each(self, step: Callable[[A], T], batches: Iterable[A]) -> Iterator[T]:
        """What the step returns for each batch; every batch is a numbered task run of its own."""
        for number, batch in enumerate(batches, 1):
            yield _run_task(step, f"{TASK_NAMES[step.__name__]}-{number:04d}", (batch,), {})


def _run_task(step: Callable[..., T], run_name: str, args: Iterable[object], kwargs: Mapping[str, object]) -> T:
    made = task(
        name=TASK_NAMES[step.__name__],
        task_run_name=run_name,
        retries=ATTEMPTS - 1,
        retry_delay_seconds=RETRY_DELAYS_S,
        retry_condition_fn=_worth_retrying,
        cache_policy=NO_CACHE,  # a cached step would skip its side effects in later runs
        persist_result=False,
    )(step)
    # Quoted, because Prefect walks arguments for futures: 8.5 s for a list of 200,000 rows.
    return made(*map(quote, args), **{name: quote(value) for name, value in kwargs.items()})


def _worth_retrying(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    error = state.result(raise_on_failure=False)
    return isinstance(error, BaseException) and is_transient(error)


class _OneLine(logging.Filter):
    """Takes the traceback off what Prefect logs about an error that has a name: the name says it all."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], MunimentError):
            record.exc_info = None
        return True


logging.getLogger("prefect.task_runs").addFilter(_OneLine())


@flow(name="index", persist_result=False)
def index(
    *,
    paths: tuple[str, ...] = (),
    worktree: bool = False,
    allow_shrink: bool = False,
    config: str = "",
    home: str = "",
    patience_s: float = 1800,
) -> State[Any]:
    """Bring the index up to date with its sources.

    Args:
        paths: Repositories to index, as absolute paths. Empty: the configured sources, else those the index holds.
        worktree: Read the working copies of tracked files instead of HEAD.
        allow_shrink: Go on when more than half of a source's documents are gone.
        config: Settings file. Empty: MUNIMENT_CONFIG of the worker, else the user's muniment.toml.
        home: Folder of index, logs and reports. Empty: the one that 'muniment status' names.
        patience_s: How long to wait for another run that is writing the index, in seconds.
    """

    def work() -> State[Any]:
        found = find_config(config, os.environ)
        place = data_home(home, os.environ, found)
        if same := nothing_to_do(place / "index", paths, found, os.environ, worktree=worktree):
            return Completed(name="Unchanged", message=f"nothing new since generation {same.number}")
        job = make_job(load_settings(found), found, place, os.environ, paths=paths, worktree=worktree)
        return _run(replace(job, allow_shrink=allow_shrink), quiet)

    return _finish(lambda: _patiently(work, patience_s))


@flow(name="rebuild", persist_result=False)
def rebuild(*, config: str = "", home: str = "", patience_s: float = 1800) -> State[Any]:
    """Build everything anew beside the published index, then swap; readers notice nothing.

    Args:
        config: Settings file. Empty: MUNIMENT_CONFIG of the worker, else the user's muniment.toml.
        home: Folder of index, logs and reports. Empty: the one that 'muniment status' names.
        patience_s: How long to wait for another run that is writing the index, in seconds.
    """

    def work() -> State[Any]:
        found = find_config(config, os.environ)
        job = make_job(load_settings(found), found, data_home(home, os.environ, found), os.environ)
        return _run(replace(job, rebuild=True), quiet)

    return _finish(lambda: _patiently(work, patience_s))


@flow(name="nightly", persist_result=False)
def nightly(*, config: str = "", home: str = "", patience_s: float = 1800) -> State[Any]:
    """Bring the index up to date, look for drift, check the data, and write the report.

    Args:
        config: Settings file. Empty: MUNIMENT_CONFIG of the worker, else the user's muniment.toml.
        home: Folder of index, logs and reports. Empty: the one that 'muniment status' names.
        patience_s: How long to wait for another run that is writing the index, in seconds.
    """

    def work() -> State[Any]:
        found = find_config(config, os.environ)
        job = make_nightly_job(load_settings(found), found, data_home(home, os.environ, found), os.environ)
        return _run_night(job, quiet)

    return _finish(lambda: _patiently(work, patience_s))


def run_nightly(job: NightlyJob, watch: Watch) -> NightlyReport:
    """Runs a night as a flow run of this process, seen in the Prefect UI; raises as `run_job` does."""

    @flow(name="nightly", persist_result=False)
    def run() -> State[Any]:
        return _finish(lambda: _run_night(job, watch))

    return cast(NightlyReport, _seen(run))


def run_job(job: IndexJob, watch: Watch) -> RunReport:
    """Runs a job made at the command line as a flow run of this process, seen in the Prefect UI.

    Raises what the flow without Prefect raises, SettingsError when no Prefect API is configured, and ProviderError
    when there is one that does not answer or can't be used.
    """

    # Parameters are kept and shown by Prefect, so these are few: the job holds the API key.
    @flow(name="rebuild" if job.rebuild else "index", persist_result=False)
    def run(paths: tuple[str, ...]) -> State[Any]:  # noqa: ARG001
        return _finish(lambda: _run(job, watch))

    return cast(RunReport, _seen(lambda: run(tuple(source.path for source in job.sources))))


def _seen(run: Callable[[], Any]) -> Any:
    """What a flow run of this process returns; an API that is not there is found out before, not in the middle."""
    _reach_api()
    try:
        return run()
    except httpx.HTTPError as error:
        raise ProviderUnavailable(
            f"the Prefect API at '{_shown_url()}' failed during the run", "'muniment status' tells what was published"
        ) from error


def _reach_api() -> None:
    if not PREFECT_API_URL.value():
        raise SettingsError(
            "no Prefect API is configured", "name one in PREFECT_API_URL (docs/prefect.md), or use --engine direct"
        )
    # Without this, Prefect's client tries for minutes where somebody listens and nobody answers.
    with (
        temporary_settings({PREFECT_CLIENT_MAX_RETRIES: 0}),
        get_client(sync_client=True, httpx_settings={"timeout": REACH_TIMEOUT_S}) as client,
    ):
        try:
            if error := client.api_healthcheck():
                raise error
            client.raise_for_api_version_mismatch()
        except (httpx.HTTPError, RuntimeError) as error:
            raise _api_error(error) from error


def _api_error(error: Exception) -> ProviderError:
    url = _shown_url()
    if isinstance(error, httpx.HTTPStatusError):
        what = f"the Prefect API at '{url}' refused: {error.response.status_code} {error.response.reason_phrase}"
    elif isinstance(error, httpx.HTTPError):
        return ProviderUnavailable(
            f"no Prefect API answers at '{url}'", "start one with 'prefect server start', or use --engine direct"
        )
    else:
        what = f"what answers at '{url}' is no Prefect API of this version"
    return ProviderReply(what, "check PREFECT_API_URL and PREFECT_API_AUTH_STRING, or use --engine direct")


def _shown_url() -> httpx.URL:
    return httpx.URL(PREFECT_API_URL.value() or "").copy_with(userinfo=b"")


def _run(job: IndexJob, watch: Watch) -> State[Any]:
    report = (run_rebuild if job.rebuild else run_index)(replace(job, engine="prefect"), Prefect(), watch)
    _show(report)
    done = f"generation {report.generation}: {report.documents} documents, {report.chunks} chunks"
    if lacking := report.lacking:
        return Completed(name="Partly", message=f"{done}; {lacking}", data=report)
    return Completed(message=done, data=report)


def _run_night(job: NightlyJob, watch: Watch) -> State[Any]:
    made = replace(job, index=replace(job.index, engine="prefect"))
    report = run_night(made, Prefect(), watch)
    _show(report.index)
    _show_night(report)
    return Completed(message=report.verdict, data=report)


def _patiently(work: Callable[[], State[Any]], patience_s: float) -> State[Any]:
    """What the work returns, tried again while another run holds the index."""
    give_up, pause = time.monotonic() + patience_s, 1.0
    while True:
        try:
            return work()
        except Busy as busy:
            if time.monotonic() + pause > give_up:
                raise
            get_run_logger().warning("%s: looking again in %d s", busy.message, pause)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


def _finish(work: Callable[[], State[Any]]) -> State[Any]:
    """The state the run ends in; a named error becomes one that shows its line and its hint."""
    try:
        return work()
    except MunimentError as error:
        return Failed(message=f"{error.message}\nhint: {error.hint}" if error.hint else error.message, data=error)


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
