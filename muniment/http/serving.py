"""What the routes of one app share: the open index, the runs, the numbers, and the bound on work at a time."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import anyio
import anyio.to_thread
from fastapi import Depends, Request

from muniment.errors import MunimentError
from muniment.home import Config
from muniment.http.metrics import Metrics
from muniment.http.runs import Runs
from muniment.http.tickets import Tickets
from muniment.opened import OpenIndex
from muniment.settings import Settings

T = TypeVar("T")

SWEEP_S = 5.0
"""How long an idle server may hold a generation after a newer one was published."""


class Serving:
    """One server's state; nothing of it is global."""

    def __init__(self, home: Path, config: Config, settings: Settings, environ: Mapping[str, str]) -> None:
        self.home = home
        self.config = config
        self.settings = settings
        self.environ = environ
        self.index = OpenIndex(home, settings, "http")
        self.runs = Runs(home / "runs")
        self.metrics = Metrics()
        self.tickets = Tickets()
        threads = settings.serve.threads
        self._threads = anyio.CapacityLimiter(threads)
        # A model may take a minute: questions leave room for everything else.
        self._asking = anyio.CapacityLimiter(max(1, threads // 2))

    async def work(self, call: Callable[..., T], *args: object) -> T:
        """What the call returns, made in one of a bounded number of threads."""
        return await anyio.to_thread.run_sync(partial(call, *args), limiter=self._threads)

    async def work_long(self, call: Callable[..., T], *args: object) -> T:
        """The same for what may take a minute, in a share of the threads."""
        async with self._asking:
            return await self.work(call, *args)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs: generations that nobody reads are let go; at the end, all of them."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._warm)
            tasks.start_soon(self._sweep)
            try:
                yield
            finally:
                tasks.cancel_scope.cancel()
        await anyio.to_thread.run_sync(self.runs.stop)
        self.index.close()

    async def _warm(self) -> None:
        # There may be no index yet; what else is wrong is told of to whoever asks something.
        with contextlib.suppress(MunimentError):
            await self.work(self.index.warm)

    async def _sweep(self) -> None:
        while True:
            await anyio.sleep(SWEEP_S)
            with contextlib.suppress(MunimentError):
                await self.work(self.index.readers.let_go)


async def serving_of(request: Request) -> Serving:
    """The state of the app that a request came to."""
    found: Serving = request.app.state.serving
    return found


Here = Annotated[Serving, Depends(serving_of)]
"""How a route takes the state."""
