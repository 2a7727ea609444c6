"""Which engine runs an index flow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flows.index import Watch
    from flows.job import IndexJob
    from schemas.runs import RunReport


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to run the flow: the same DAG with the same result."""

    name: str
    start: Callable[[IndexJob, Watch], RunReport]

    def run(self, job: IndexJob, *, rebuild: bool, watch: Watch) -> RunReport:
        """Runs the index flow, or the rebuild flow."""
        return self.start(replace(job, engine=self.name, rebuild=rebuild), watch)


def choose_engine(wanted: str, environ: Mapping[str, str]) -> Engine:
    """The engine asked for; `auto` is Prefect where an API is configured, else direct."""
    if wanted == "prefect" or (wanted == "auto" and prefect_api(environ)):
        return Engine("prefect", _start_prefect)
    return Engine("direct", _start_direct)


def prefect_api(environ: Mapping[str, str]) -> str:
    """The configured Prefect API's address, or nothing; Prefect itself is not loaded to find out."""
    return environ.get("PREFECT_API_URL", "")


def _start_direct(job: IndexJob, watch: Watch) -> RunReport:
    from flows.index import index
    from flows.rebuild import rebuild
    from muniment.runner import Direct

    return (rebuild if job.rebuild else index)(job, Direct(), watch)


def _start_prefect(job: IndexJob, watch: Watch) -> RunReport:
    from flows.deployments import run_job

    return run_job(job, watch)
