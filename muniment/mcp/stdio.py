"""MCP over stdin and stdout: one client, for as long as it is there."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO

from muniment.errors import MunimentError

if TYPE_CHECKING:
    from muniment.mcp.work import Threads
    from muniment.opened import OpenIndex

THREADS = 8
SWEEP_S = 5.0
"""How long an idle server may hold a generation after a newer one was published."""


@dataclass(frozen=True, slots=True)
class Wire:
    """The process's stdin and stdout, which nobody else reads or writes any more."""

    incoming: TextIO
    outgoing: TextIO


def claim_wire() -> Wire:
    """Takes stdin and stdout for the protocol: what anything prints from now on goes to stderr.

    By file descriptor, so that it holds for libraries of other languages and for child processes too. Never given
    back: libraries may print until the process ends.
    """
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr  # what is printed is shown at once
    # An agent may send half a character; what we send is well-formed.
    return Wire(TextIOWrapper(incoming, "utf-8", "replace"), TextIOWrapper(outgoing, "utf-8"))


def serve_stdio(opened: OpenIndex, wire: Wire) -> None:
    """Answers over the wire until the client closes its end; a call may still be under way in a thread then."""
    import anyio

    try:
        anyio.run(_serve, opened, wire)
    except* BrokenPipeError:
        pass  # the client went away while it was answered


async def _serve(opened: OpenIndex, wire: Wire) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    from muniment.api import Index
    from muniment.mcp.incoming import Incoming
    from muniment.mcp.server import make_server
    from muniment.mcp.work import Threads

    work = Threads(THREADS)
    # The public `run_stdio_async` takes no streams, and gives stdout back to whoever prints last.
    server = make_server(Index(opened), work)._lowlevel_server
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_sweep, opened, work)
        async with stdio_server(anyio.wrap_file(wire.incoming), anyio.wrap_file(wire.outgoing)) as (reading, writing):
            # The SDK's streams say what they take by their own class.
            incoming: Any = Incoming(reading, writing)
            await server.run(incoming, writing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _sweep(opened: OpenIndex, work: Threads) -> None:
    """Lets go of generations that nobody reads, again and again."""
    import anyio

    while True:
        await anyio.sleep(SWEEP_S)
        # A torn pointer is told of to whoever asks something.
        with contextlib.suppress(MunimentError):
            await work.work(opened.readers.let_go)
