"""HEAD for whatever can be got: the same answer without its body, as supervisors and `curl -I` ask for it."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """Hands HEAD on as GET, which is all that routes know."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def bodiless(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        got = {**scope, "method": "GET"}
        try:
            await self._app(got, receive, bodiless)
        finally:
            # What is known of the request by now is for the log and the numbers.
            scope["route"] = got.get("route")
