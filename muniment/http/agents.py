"""/mcp: the tools of `muniment mcp` over streamable HTTP, behind the same guards as everything else."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route

from muniment.http.rate import RateGuard
from muniment.http.serving import Serving
from muniment.mcp.streamable import McpApp

PATH = "/mcp"


def add_mcp(app: FastAPI, serving: Serving, names: Collection[str], rate: RateGuard) -> McpApp:
    """Adds the endpoint to the app, which has to enter its `running()`; its questions count as any others."""

    def asking(request: Any) -> str:
        problem = rate.count(request)
        return f"{problem.detail}\nhint: {problem.hint}" if problem else ""

    endpoint = McpApp(serving.index, serving, names, serving.settings.serve.max_body_bytes, asking)
    app.router.routes.append(Route(PATH, endpoint, methods=["POST"]))
    return endpoint
