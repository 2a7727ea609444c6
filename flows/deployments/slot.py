"""The slot that a run holds while it writes an index that machines share: a global concurrency limit of Prefect's."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator

import httpx
from prefect import get_client
from prefect.concurrency.asyncio import ConcurrencySlotAcquisitionError
from prefect.concurrency.sync import concurrency

from flows.job import IndexJob
from muniment.errors import Busy, MunimentError, ProviderUnavailable

LEASE_S = 60
"""Renewed as long as the run lives: after a kill the slot is free again so much later."""
WAIT_S = 30
"""For Prefect's answer, which is not waited for when the slot is taken."""


def slot_name(url: str) -> str:
    """The limit's name in Prefect: the key of the index, which no address or key can be read from."""
    return f"muniment-{hashlib.sha256(url.encode()).hexdigest()[:16]}"


@contextlib.contextmanager
def table_slot(job: IndexJob) -> Iterator[None]:
    """Holds the one slot of the job's shared index; nothing for an index of this machine's own.

    Raises Busy while another run has it.
    """
    if job.shared is None:
        yield
        return
    name = slot_name(job.shared.url)
    with get_client(sync_client=True) as client:
        client.upsert_global_concurrency_limit_by_name(name, 1)
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(
                concurrency(name, occupy=1, timeout_seconds=WAIT_S, max_retries=0, lease_duration=LEASE_S, strict=True)
            )
        except (ConcurrencySlotAcquisitionError, TimeoutError) as error:
            raise _refusal(error, job.shared.url) from error
        yield


def _refusal(error: Exception, url: str) -> MunimentError:
    cause = error.__cause__
    if isinstance(cause, httpx.HTTPStatusError) and cause.response.status_code == httpx.codes.LOCKED:
        return Busy(f"another run is writing the index at '{url}'", "try again when it has ended")
    return ProviderUnavailable(f"Prefect gave no slot for the index at '{url}': {error}", "is its API overloaded?")
