"""Where the calls of tools run: in threads, so that one that takes long holds up no other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")


class Work(Protocol):
    """Runs calls that wait: for the disk, or for a model."""

    async def work(self, call: Callable[..., T], *args: object) -> T:
        """What the call returns."""
        ...

    async def work_long(self, call: Callable[..., T], *args: object) -> T:
        """What the call returns, which may take a minute: in a share of the room, so that some is left."""
        ...


class Threads:
    """Threads of this process, so many at a time; whoever stops waiting for one leaves it to itself."""

    def __init__(self, total: int) -> None:
        self._threads = anyio.CapacityLimiter(total)
        self._asking = anyio.CapacityLimiter(max(1, total // 2))

    async def work(self, call: Callable[..., T], *args: object) -> T:
        """What the call returns."""
        return await anyio.to_thread.run_sync(partial(call, *args), abandon_on_cancel=True, limiter=self._threads)

    async def work_long(self, call: Callable[..., T], *args: object) -> T:
        """The same, in half of the threads."""
        async with self._asking:
            return await self.work(call, *args)
