"""The bound on requests in progress: whoever comes to a full server is told so at once, and waits nowhere."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.http.problem import Problem

_ALIVE = "/healthz"
"""Answered however many there are: a supervisor that hears nothing ends a server that is only busy."""


class Crowd:
    """Hands on at most `most` requests at a time, and answers the others itself."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._problem = Problem(
            503,
            "ServerBusy",
            f"{most} requests are in progress",
            "try again in a moment; serve.max_requests bounds them",
            transient=True,
            headers={"retry-after": "1"},
        )
        self._room = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"] == _ALIVE:
            await self._app(scope, receive, send)
            return
        if self._room <= 0:
            await self._problem.response(scope.get("request_id", ""))(scope, receive, send)
            return
        self._room -= 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._room += 1
