"""Connections of the server: how many there may be, and how long one may take to say what it wants or to listen."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from muniment.http.problem import Problem

LISTEN_S = 30.0
"""How long a client may leave what it is sent lying before it is given up."""
_HARD = 2
"""So many times the connections that may be open are answered that the server is full; those after them are cut."""
_FULL = Problem(
    503,
    "ServerFull",
    "too many connections are open",
    "try again in a moment; serve.max_connections bounds them",
    transient=True,
    headers={"retry-after": "2", "connection": "close"},
)


def bounded(most: int, head_s: float) -> type[asyncio.Protocol]:
    """The protocol of a server with at most `most` connections, each with `head_s` seconds to say what it wants."""
    return type("BoundedConnection", (Connection,), {"most": most, "head_s": head_s})


class Connection(H11Protocol):
    """One connection: what it does not get said or taken in time ends it."""

    most: int
    head_s: float
    _fresh: bool = True
    """Whether it has asked for nothing yet."""
    _listening: asyncio.TimerHandle | None = None
    _speaking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Counts it, and waits for its first request."""
        super().connection_made(transport)
        if len(self.connections) > _HARD * self.most:
            transport.abort()
        elif len(self.connections) > self.most:
            self.app: Any = _full
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets it."""
        super().connection_lost(exc)
        self._unwait()
        self.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Reads on; a head that comes in drops has no more time than one that comes at once."""
        super().data_received(data)
        if self._idle:
            self._wait()

    def handle_events(self) -> None:
        """Does what was said; once a request is worked on nothing is waited for."""
        super().handle_events()
        if not self._idle:
            self._fresh = False
            self._unwait()

    def on_response_complete(self) -> None:
        """Waits for the next request."""
        self._unwait()
        super().on_response_complete()
        if self._idle:
            self._wait()

    def pause_writing(self) -> None:
        """The client leaves lying what it is sent."""
        super().pause_writing()
        if self._listening is None:
            self._listening = self.loop.call_later(LISTEN_S, self.transport.abort)

    def resume_writing(self) -> None:
        """It takes it."""
        super().resume_writing()
        if self._listening is not None:
            self._listening.cancel()
            self._listening = None

    def send_400_response(self, msg: str) -> None:
        """Says that it is no request, as a problem."""
        self._refuse(Problem(400, "BadRequest", msg.rstrip(".").lower().replace("http", "HTTP")))

    @property
    def _idle(self) -> bool:
        """Whether no request is worked on."""
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        if self._speaking is None:
            self._speaking = self.loop.call_later(self.head_s, self._give_up)

    def _unwait(self) -> None:
        if self._speaking is not None:
            self._speaking.cancel()
            self._speaking = None

    def _give_up(self) -> None:
        self._speaking = None
        if self._fresh and not self.transport.is_closing():
            self._refuse(Problem(408, "RequestTooSlow", "the request did not come in time"))
        else:
            self.transport.abort()

    def _refuse(self, problem: Problem) -> None:
        """Answers what is no request yet, past h11, and closes."""
        response = problem.response("")
        head = [
            f"HTTP/1.1 {problem.status} {problem.error}".encode(),
            *(b": ".join(one) for one in response.raw_headers),
        ]
        self.transport.write(b"\r\n".join([*head, b"connection: close", b"", bytes(response.body)]))
        self.transport.close()


async def _full(scope: Scope, receive: Receive, send: Send) -> None:
    await _FULL.response("")(scope, receive, send)
