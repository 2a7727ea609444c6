"""The limit on what is sent to us: a body is read whole, within its size and time, before anything is done with it."""

from __future__ import annotations

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.http.problem import Problem

TIMEOUT_S = 30.0
_WITHOUT = frozenset({"GET", "HEAD", "OPTIONS"})


class BodyLimit:
    """Hands on requests whose body is at most `max_bytes` long, and answers the others itself."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["method"] in _WITHOUT:
            await self._app(scope, receive, send)
            return
        read = await self._read(scope, receive)
        if isinstance(read, Problem):
            await read.response(scope.get("request_id", ""))(scope, receive, send)
            return
        await self._app(scope, _replayed(read, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | Problem:
        too_large = Problem(
            413, "BodyTooLarge", f"the body is larger than {self._max_bytes} bytes", headers={"connection": "close"}
        )
        sizes = [value for name, value in scope["headers"] if name == b"content-length"]
        if any(not value.isdigit() or int(value) > self._max_bytes for value in sizes):
            return too_large
        body = bytearray()
        with anyio.move_on_after(TIMEOUT_S):
            while True:
                message = await receive()
                if message["type"] != "http.request":  # the client has gone
                    return bytes(body)
                body += message.get("body", b"")
                if len(body) > self._max_bytes:
                    return too_large
                if not message.get("more_body", False):
                    return bytes(body)
        return Problem(408, "BodyTooSlow", "the body did not come in time", headers={"connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then whatever comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
