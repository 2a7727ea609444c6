"""What a request must pass before anything is done for it: one function a rule, in the order that the app names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.http.problem import Problem

Guard = Callable[[HTTPConnection], Problem | None]
"""Says what is wrong with a request, or nothing."""


class Guards:
    """Answers with the first guard's problem; what all of them let pass goes on."""

    def __init__(self, app: ASGIApp, guards: Sequence[Guard]) -> None:
        self._app = app
        self._guards = guards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            request = HTTPConnection(scope)
            for guard in self._guards:
                if problem := guard(request):
                    await problem.response(scope.get("request_id", ""))(scope, receive, send)
                    return
        await self._app(scope, receive, send)
