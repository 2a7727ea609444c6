"""The flows as Prefect runs them: each step a named, separately retried task. The only file that knows Prefect."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any, ParamSpec, TypeVar, cast

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task
from prefect.utilities.annotations import quote

from flows.index import Watch, quiet
from flows.index import index as run_index
from flows.job import IndexJob, make_job
from flows.rebuild import rebuild as run_rebuild
from muniment.errors import ProviderUnavailable
from muniment.home import data_home, find_config
from muniment.runner import is_transient
from muniment.settings import load_settings
from schemas.runs import RunReport

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

RETRIES = 2
RETRY_DELAYS_S = [1.0, 5.0]

TASK_NAMES = {
    "list_sources": "enumerate",
    "classify_sources": "classify",
    "chunk_sources": "chunk",
    "embed_batch": "embed",
    "upsert_changes": "upsert",
    "fill_vectors": "upsert-vectors",
    "reclaim": "reclaim",
}


def worth_retrying(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether the task failed for a reason that may pass."""
    result = state.result(raise_on_failure=False)
    return isinstance(result, BaseException) and is_transient(result)


class Prefect:
    """Runs each step as a task of its own, inside the flow that is running."""

    def __call__(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the step returns; transient errors are retried by Prefect."""
        # Quoted, because Prefect walks arguments for futures: 8.5 s for a list of 200,000 rows.
        quoted = [quote(value) for value in args]
        run = cast(Callable[..., T], _as_task(step))
        return run(*quoted, **{name: quote(value) for name, value in kwargs.items()})

    def each(self, step: Callable[[A], T], batches: Iterable[A]) -> Iterator[T]:
        """What the step returns for each batch; every batch is a task run of its own."""
        for batch in batches:
            yield self(step, batch)


def _as_task(step: Callable[P, T]) -> Task[P, T]:
    # NO_CACHE: a cached step would skip its side effects in later runs, and tables can't be hashed.
    return task(
        name=TASK_NAMES[step.__name__],
        retries=RETRIES,
        retry_delay_seconds=RETRY_DELAYS_S,
        retry_condition_fn=worth_retrying,
        cache_policy=NO_CACHE,
        persist_result=False,
    )(step)


@flow(name="index", persist_result=False)
def index(
    paths: list[str] | None = None,
    worktree: bool = False,
    allow_shrink: bool = False,
    config: str | None = None,
    home: str | None = None,
) -> dict[str, Any]:
    """Bring the index up to date with its sources.

    Args:
        paths: Repositories to index; leave empty for the configured sources, or those the index already holds.
        worktree: Read the working copies of tracked files instead of HEAD.
        allow_shrink: Go on when more than half of a source's documents are gone.
        config: Settings file; leave empty for the usual search.
        home: Folder of index, logs and reports; leave empty for the usual one.
    """
    job = replace(_deployed_job(paths, worktree, config, home), allow_shrink=allow_shrink)
    return asdict(_run(job, quiet))


@flow(name="rebuild", persist_result=False)
def rebuild(config: str | None = None, home: str | None = None) -> dict[str, Any]:
    """Build everything anew beside the published index, then swap; readers notice nothing.

    Args:
        config: Settings file; leave empty for the usual search.
        home: Folder of index, logs and reports; leave empty for the usual one.
    """
    return asdict(_run(replace(_deployed_job(None, False, config, home), rebuild=True), quiet))


def run_job(job: IndexJob, watch: Watch) -> RunReport:
    """Runs a job made at the command line as a flow run of this process, seen in the Prefect UI.

    Raises ProviderUnavailable when no Prefect API answers.
    """
    name = "rebuild" if job.rebuild else "index"
    started = flow(name=name, persist_result=False, validate_parameters=False)(_run)
    try:
        return started(quote(job), quote(watch))
    except RuntimeError as error:
        if "Failed to reach API" not in str(error):
            raise
        url = os.environ.get("PREFECT_API_URL", "")
        raise ProviderUnavailable(
            f"no Prefect API answers at '{url}'", "start one with 'prefect server start', or use --engine direct"
        ) from error


def _run(job: IndexJob, watch: Watch) -> RunReport:
    report = (run_rebuild if job.rebuild else run_index)(replace(job, engine="prefect"), Prefect(), watch)
    _show(report)
    return report


def _deployed_job(paths: list[str] | None, worktree: bool, config: str | None, home: str | None) -> IndexJob:
    found = find_config(config, os.environ)
    settings = load_settings(found)
    place = data_home(home, os.environ, found)
    return make_job(settings, found, place, os.environ, paths=paths or (), worktree=worktree)


def _show(report: RunReport) -> None:
    """The run's numbers as artifacts, under keys that stay the same from run to run."""
    sources = [{key: value for key, value in asdict(source).items() if key != "notes"} for source in report.sources]
    create_table_artifact(key="index-sources", table=sources, description="What became of every file of each source")
    create_table_artifact(
        key="index-seconds",
        table=[{"stage": stage, "seconds": seconds} for stage, seconds in report.seconds.items()],
        description="Wall time by stage",
    )
    if report.skips:
        create_table_artifact(
            key="index-skips", table=report.skips[:500], description="Skipped files that somebody can act on"
        )
    create_markdown_artifact(key="index-run", markdown=_markdown(report), description="The index run")
    get_run_logger().info(
        "generation %d: %d documents, %d chunks, %d pending",
        report.generation,
        report.documents,
        report.chunks,
        report.pending,
    )


def _markdown(report: RunReport) -> str:
    pending = f" ({report.pending_reason})" if report.pending else ""
    return "\n".join(
        (
            f"# Generation {report.generation}",
            "",
            f"- documents: {report.documents}",
            f"- chunks: {report.chunks}, {report.chunks_written} written",
            f"- vectors: {report.embedded} embedded, {report.from_cache} from cache, {report.pending} pending{pending}",
            f"- embedder: `{report.fingerprint}`",
            f"- run: `{report.run}`",
        )
    )
