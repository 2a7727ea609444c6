"""MCP over streamable HTTP: an ASGI app for one path, between the guards of whoever mounts it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, MutableMapping
from dataclasses import replace
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from muniment.api import Index
from muniment.mcp.server import make_server
from muniment.mcp.tools import ANYBODY, Terms
from muniment.mcp.work import Work
from muniment.opened import OpenIndex

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class McpApp:
    """The endpoint: POST only, each request by itself, so that a restart costs no client its session.

    Answers while `running()` is entered. `names` are those that a Host header may call the server by; a guard
    before it puts into `access` of the request's scope whether the caller may write: without that nobody may.
    """

    def __init__(
        self,
        opened: OpenIndex,
        work: Work,
        names: Collection[str],
        max_bytes: int,
        terms: Terms = ANYBODY,
    ) -> None:
        server = make_server(Index(opened.seen_from("mcp")), work, replace(terms, writing=_write_scope))
        server.streamable_http_app(
            json_response=True,
            stateless_http=True,
            max_request_body_size=max_bytes,
            transport_security=transport_security(names),
        )
        self._sessions: StreamableHTTPSessionManager = server.session_manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self._sessions.handle_request(scope, receive, send)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs; once an app."""
        async with self._sessions.run():
            yield


def _write_scope(request: Any) -> str:
    if request is not None and request.scope.get("access") == "write":
        return ""
    return "this needs a token of scope write\nhint: make one with 'muniment token create NAME --scope write'"


def transport_security(names: Collection[str]) -> TransportSecuritySettings:
    """The SDK's guard against foreign names and pages, whatever address is listened at; by default it has none."""
    hosts = [spelled for name in sorted(names) for spelled in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins)
