"""What every request gets: an id, security headers, a line in the log, its numbers, and an answer to any bug.

The log names routes, never addresses as they were asked for: those hold questions.
"""

from __future__ import annotations

import logging
import re
import traceback
from secrets import token_hex
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.http.metrics import Metrics
from muniment.http.problem import BUG, Problem

_log = logging.getLogger("muniment.http")
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
}
"""Unless the answer says otherwise: the page has a policy of its own."""


class Telemetry:
    """The outermost of what is ours."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        scope["request_id"] = _request_id(Headers(scope=scope).get("x-request-id", ""))
        status = 0

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _dress(MutableHeaders(scope=message), scope["request_id"])
            await send(message)

        try:
            await self._app(scope, receive, dressed)
        except Exception as error:  # the last door: a bug gets an answer too, and its place a line in the log
            _log_bug(error, scope["request_id"])
            if not status:
                problem = Problem(500, BUG, "a bug in muniment", "its log says where, under this request_id")
                await problem.response(scope["request_id"])(scope, receive, dressed)
        seconds = perf_counter() - began
        route = route_of(scope)
        self._metrics.count_request(scope["method"], route, status, seconds)
        _log.info("%s %s %d %.1f ms %s", _method(scope), route, status, seconds * 1000, scope["request_id"])


def route_of(scope: Scope) -> str:
    """The pattern that the request met; `-` where it met none."""
    route = scope.get("route")
    return str(getattr(route, "path", "") or "-")


def _method(scope: Scope) -> str:
    method: str = scope["method"]
    return method if _SANE.fullmatch(method) else "-"


def _request_id(given: str) -> str:
    return given if _SANE.fullmatch(given) else token_hex(8)


def _dress(headers: MutableHeaders, request_id: str) -> None:
    headers["x-request-id"] = request_id
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)


def _log_bug(error: Exception, request_id: str) -> None:
    """Where it happened, without the message: that may quote a question."""
    where = "".join(traceback.format_tb(error.__traceback__))
    _log.error("a bug in muniment: %s, request %s\n%s", type(error).__name__, request_id, where)
