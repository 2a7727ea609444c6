"""Each step as a named, separately retried task of Prefect."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task
from prefect.utilities.annotations import quote

from flows.job import IndexJob
from flows.spread import embed_sent
from muniment.errors import MunimentError
from muniment.runner import ATTEMPTS, is_transient
from tasks.embed import Batch, embed_batch

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

RETRY_DELAYS_S = [1.0, 5.0]
TASK_NAMES = {
    "ask_dimension": "ask-dimension",
    "embed_known": "ask-known-text",
    "forget_changed": "forget-changed",
    "list_sources": "enumerate",
    "classify_sources": "classify",
    "chunk_sources": "chunk",
    "withhold_secrets": "withhold-secrets",
    "check_chunks": "check-chunks",
    "embed_batch": "embed",
    "embed_sent": "embed",
    "upsert_changes": "upsert",
    "write_again": "write-again",
    "drop_stale": "drop-stale",
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
    "pull_generation": "pull",
    "push_generation": "push",
    "collect_shared": "collect",
}


class Prefect:
    """Runs each step as a task of its own, inside the flow that is running; texts are embedded on Dask if it is set."""

    def __init__(self, job: IndexJob) -> None:
        self._dask, self._embedder = job.dask, job.embedder

    def __call__(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the step returns; transient errors are retried by Prefect."""
        return _run_task(step, TASK_NAMES[step.__name__], args, kwargs)

    def each(self, step: Callable[[A], T], batches: Iterable[A]) -> Iterator[T]:
        """What the step returns for each batch; every batch is a numbered task run of its own."""
        if self._dask and step is embed_batch:
            from flows.deployments.dask import embed_spread

            texts = cast(Iterable[Batch], batches)
            done = embed_spread(self._dask, self._embedder, partial(_numbered, embed_sent), texts)
            yield from cast(Iterator[T], done)
            return
        for number, batch in enumerate(batches, 1):
            yield _numbered(step, number)(quote(batch))


def _run_task(step: Callable[..., T], run_name: str, args: Iterable[object], kwargs: Mapping[str, object]) -> T:
    # Quoted, because Prefect walks arguments for futures: 8.5 s for a list of 200,000 rows.
    return _as_task(step, run_name)(*map(quote, args), **{name: quote(value) for name, value in kwargs.items()})


def _numbered(step: Callable[..., T], number: int) -> Task[..., T]:
    return _as_task(step, f"{TASK_NAMES[step.__name__]}-{number:04d}")


def _as_task(step: Callable[..., T], run_name: str) -> Task[..., T]:
    return task(
        name=TASK_NAMES[step.__name__],
        task_run_name=run_name,
        retries=ATTEMPTS - 1,
        retry_delay_seconds=RETRY_DELAYS_S,
        retry_condition_fn=_worth_retrying,
        cache_policy=NO_CACHE,  # a cached step would skip its side effects in later runs
        persist_result=False,
    )(step)


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
