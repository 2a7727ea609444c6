"""/mcp: the tools of `muniment mcp` over streamable HTTP, behind the same guards as everything else."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fastapi import FastAPI
from starlette.routing import Match, Route
from starlette.types import Scope

from muniment.http.rate import RateGuard
from muniment.http.serving import Serving
from muniment.mcp.streamable import McpApp
from muniment.mcp.tools import Terms

PATH = "/mcp"


class _NamedRoute(Route):
    """A route that the log and the numbers know by its pattern, as they do FastAPI's own."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As any route, and says which one it is."""
        match, found = super().matches(scope)
        return match, {**found, "route": self}


def add_mcp(app: FastAPI, serving: Serving, names: Collection[str], rate: RateGuard) -> McpApp:
    """Adds the endpoint to the app, which has to enter its `running()`; its questions count as any others."""

    def asking(request: Any) -> str:
        problem = rate.count(request)
        return f"{problem.detail}\nhint: {problem.hint}" if problem else ""

    own = serving.settings.serve
    terms = Terms(asking, answered=serving.metrics.count_answer)
    endpoint = McpApp(serving.index, serving, names, own.max_body_bytes, terms)
    app.router.routes.append(_NamedRoute(PATH, endpoint, methods=["POST"]))
    return endpoint
