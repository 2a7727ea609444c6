"""Runs of this process, started at the command line and seen in Prefect's UI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import httpx
from prefect import flow, get_client
from prefect.client.schemas.objects import State
from prefect.settings import PREFECT_API_URL, PREFECT_CLIENT_MAX_RETRIES, temporary_settings

from flows.deployments.asked import name_sources
from flows.deployments.ends import finish, night_to_end, run_to_end
from flows.index import Watch
from flows.job import IndexJob
from flows.nightly import NightlyJob
from muniment.errors import ProviderError, ProviderReply, ProviderUnavailable, SettingsError
from schemas.nightly import NightlyReport
from schemas.runs import RunReport

REACH_TIMEOUT_S = 10.0


def run_nightly(job: NightlyJob, watch: Watch) -> NightlyReport:
    """Runs a night as a flow run of this process, seen in the Prefect UI; raises as `run_job` does."""

    @flow(name="nightly", flow_run_name=lambda: _name(job.index), persist_result=False)
    def run() -> State[Any]:
        return finish(lambda: night_to_end(job, watch))

    return cast(NightlyReport, _seen(run))


def run_job(job: IndexJob, watch: Watch) -> RunReport:
    """Runs a job made at the command line as a flow run of this process, seen in the Prefect UI.

    Raises what the flow without Prefect raises, SettingsError when no Prefect API is configured, and ProviderError
    when there is one that does not answer or can't be used.
    """

    # Parameters are kept and shown by Prefect, so these are few: the job holds the API key.
    @flow(name="rebuild" if job.rebuild else "index", flow_run_name=lambda: _name(job), persist_result=False)
    def run(paths: tuple[str, ...]) -> State[Any]:  # noqa: ARG001
        return finish(lambda: run_to_end(job, watch))

    return cast(RunReport, _seen(lambda: run(tuple(source.path for source in job.sources))))


def _name(job: IndexJob) -> str:
    return name_sources([source.name for source in job.sources])


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
            # What the look at its version failed of stands behind an error of another kind.
            cause = error.__cause__
            raise _api_error(cause if isinstance(cause, httpx.HTTPError) else error) from error


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
