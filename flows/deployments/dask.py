"""Embedding on the workers of a Dask scheduler: batches of texts go out, vectors come back, this process alone writes.

Only this file knows Dask.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, cast

import dask
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker
from prefect.context import FlowRunContext
from prefect.flows import Flow
from prefect.tasks import Task
from prefect_dask.task_runners import DaskTaskRunner

from flows.spread import SETTING, Sent
from muniment.embedders import Embedder, EmbedderChoice
from muniment.errors import ProviderReply, ProviderUnavailable
from tasks.embed import Batch, Embedded

REACH_S = 10
"""For the scheduler to answer."""
WORKERLESS_S = 60.0
"""Without any worker, before the run goes on without the vectors: one that was killed is started anew by its nanny."""
LOOK_S = 5.0
AHEAD = 2
"""Batches handed out at a time, per thread of the workers: the next one is there when one is done."""

Make = Callable[[int], Task[[bytes], Embedded]]
"""A batch's number -> the Prefect task that embeds it."""


def embed_spread(address: str, choice: EmbedderChoice, make: Make, batches: Iterable[Batch]) -> Iterator[Embedded]:
    """What each batch came to, in order; a batch whose worker is lost is given to another one.

    Raises what `embed_batch` raises, and ProviderUnavailable when the scheduler or all of its workers stay away.
    """
    with _runner(address) as runner:
        try:
            width = AHEAD * _wait_for_workers(runner.client, address)
            yield from _ahead(
                runner, address, (_submit(runner, choice, make, *one) for one in enumerate(batches, 1)), width
            )
        except KilledWorker as error:
            raise ProviderReply(
                f"a batch of texts ended every Dask worker that took it: {error}",
                "look at the workers' logs; they may need more memory (docs/scale.md)",
            ) from error
        except (OSError, FutureCancelledError) as error:
            raise _away(address, "was lost during the run") from error


def _ahead(runner: Any, address: str, handed: Iterator[Any], width: int) -> Iterator[Embedded]:
    """The results in order, with so many batches handed out before the first of them is waited for."""
    waiting: deque[Any] = deque()
    for future in handed:
        waiting.append(future)
        if len(waiting) >= width:
            yield _result(runner, waiting.popleft(), address)
    while waiting:
        yield _result(runner, waiting.popleft(), address)


def _submit(runner: Any, choice: EmbedderChoice, make: Make, number: int, batch: Batch) -> Any:
    choice = replace(choice, api_key="", dimension=batch.embedder.dimension)
    sent = Sent(choice, batch.embedder.fingerprint, replace(batch, embedder=cast(Embedder, None)))
    # As bytes: Prefect and Dask look for futures in whatever else they are given, text by text.
    with _bare():
        return runner.submit(make(number), parameters={"packed": pickle.dumps(sent)})


def _result(runner: Any, future: Any, address: str) -> Embedded:
    alone_s = 0.0
    while True:
        try:
            done: Embedded = future.result(timeout=LOOK_S)
            return done
        except TimeoutError:
            alone_s = 0.0 if runner.client.nthreads() else alone_s + LOOK_S
            if alone_s >= WORKERLESS_S:
                raise _away(address, "has lost all of its workers") from None


def _wait_for_workers(client: Any, address: str) -> int:
    """Threads of all workers."""
    try:
        client.wait_for_workers(1, timeout=WORKERLESS_S)
    except TimeoutError as error:
        raise _away(address, "has no workers") from error
    return sum(client.nthreads().values())


@contextlib.contextmanager
def _runner(address: str) -> Iterator[Any]:
    """Prefect's runner of tasks on Dask, connected."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it tells of a scheduler's end with a traceback
    # Loopback or acknowledged; nobody looks at it through a browser.
    with dask.config.set({"distributed.comm.timeouts.connect": REACH_S}):
        runner = DaskTaskRunner(address=address)
        with runner:
            try:
                runner.client  # noqa: B018 - it connects when it is first asked for
            except (OSError, TimeoutError, ValueError) as error:
                raise _away(address, "does not answer") from error
            yield runner


def _away(address: str, what: str) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"the Dask scheduler at '{address}' {what}",
        f"start 'dask scheduler' and 'dask worker' (docs/scale.md), or empty {SETTING} to embed on this machine",
    )


@contextlib.contextmanager
def _bare() -> Iterator[None]:
    """The flow run as workers may see it: its id, and not the flow, whose closure holds the job with its keys."""
    running = FlowRunContext.get()
    if running is None:
        yield
        return
    with running.model_copy(update={"flow": Flow(_nothing, name="index"), "parameters": {}}):
        yield


def _nothing() -> None:
    """The flow that workers are shown."""
