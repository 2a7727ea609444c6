"""The app: routers, guards and the state behind them, made from plain values."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from muniment import __version__
from muniment.home import Config
from muniment.http.access import TokenGuard
from muniment.http.agents import add_mcp
from muniment.http.asked import said_once
from muniment.http.body import BodyLimit
from muniment.http.crowd import Crowd
from muniment.http.guards import Guards
from muniment.http.heads import Heads
from muniment.http.hosts import HostGuard, is_loopback, known_names
from muniment.http.inert_json import InertJson
from muniment.http.openapi import DESCRIPTION, describe
from muniment.http.problem import add_handlers
from muniment.http.rate import RateGuard
from muniment.http.routes import (
    access,
    ask,
    chunks,
    documents,
    drift,
    effectiveness,
    feedback,
    health,
    index,
    page,
    reports,
    search,
)
from muniment.http.serving import Serving
from muniment.http.telemetry import Telemetry
from muniment.settings import Settings
from muniment.tokens import TokenFile

NOUNS = (ask, search, index, documents, chunks, effectiveness, feedback, drift, reports, access, health, page)
ROUTERS = tuple(noun.router for noun in NOUNS)

# What it would hand to OpenTelemetry holds questions: addresses, bodies that do not validate, messages of exceptions.
_SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def make_app(home: Path, config: Config, settings: Settings, environ: Mapping[str, str], host: str) -> FastAPI:
    """The app for the index of a home, to be served at address `host`; its state is `app.state.serving`.

    Nothing is opened before the first request. Raises SettingsError or Refused for a model that can't be used.
    """
    serving = Serving(home, config, settings, environ)
    serving.index.check()
    own = settings.serve
    rate = RateGuard(own.rate, own.burst)
    guards = (
        HostGuard(host, own.allowed_hosts),
        TokenGuard(TokenFile(home), serving.tickets, closed=bool(own.proxies) or not is_loopback(host)),
        rate,
    )
    app = FastAPI(
        title="muniment",
        version=__version__,
        description=DESCRIPTION,
        lifespan=_lifespan,
        default_response_class=InertJson,
        # Their pages load scripts from other hosts.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(said_once)],
        telemetry=_SILENT,
        # From the outside in.
        middleware=[
            Middleware(ProxyHeadersMiddleware, trusted_hosts=list(own.proxies)),
            Middleware(Telemetry, metrics=serving.metrics),
            Middleware(Guards, guards=guards),
            Middleware(Crowd, most=own.max_requests),
            Middleware(BodyLimit, max_bytes=own.max_body_bytes),
            Middleware(Heads),
        ],
    )
    app.state.serving = serving
    app.state.mcp = add_mcp(app, serving, known_names(host, own.allowed_hosts), rate)
    add_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    describe(app)
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    serving: Serving = app.state.serving
    async with serving.running(), app.state.mcp.running():
        yield
