"""`muniment serve`: the index over HTTP, until interrupted."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from muniment.cli.terminal import note
from muniment.errors import DONE, Refused, UsageError
from muniment.home import data_home, find_config
from muniment.tokens import read_tokens

if TYPE_CHECKING:
    from fastapi import FastAPI

    from muniment.settings.sections import ServeSettings

GRACE_S = 10
"""How long answers under way may take once it is told to stop."""
BACKLOG = 128
HEAD_BYTES = 65_536
"""Of a request: a question of 5,000 letters of any script in its address, and some headers."""
MAX_PORT = 65_535


def run(args: argparse.Namespace) -> int:
    """Serves and returns DONE when it is interrupted; raises Refused where other machines reach it without a token.

    Raises UsageError where the address can't be listened at.
    """
    from muniment.http.app import make_app
    from muniment.http.hosts import is_loopback
    from muniment.settings import load_settings

    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    settings = load_settings(config)
    host = args.host or settings.serve.host
    port = settings.serve.port if args.port is None else args.port
    if all(token.expired(datetime.now(UTC)) for token in read_tokens(home)):
        _refuse_beyond(host, settings.serve.proxies, loopback=is_loopback(host))
    app = make_app(home, config, settings, os.environ, host)
    with listen_at(host, port) as listening:
        _serve(app, listening, app.state.serving.index.place, settings.serve)
    return DONE


def _refuse_beyond(host: str, proxies: Sequence[str], *, loopback: bool) -> None:
    """Raises Refused for an address that other machines reach, by themselves or through a proxy on this one."""
    lacking = "and there is no token to ask them for, or none that is still good"
    if not loopback:
        raise Refused(
            f"other machines reach '{host}', {lacking}",
            "make one with 'muniment token create NAME', or listen at 127.0.0.1",
        )
    if proxies:
        raise Refused(
            f"other machines reach this through '{proxies[0]}' (serve.proxies), {lacking}",
            "make one with 'muniment token create NAME', or take serve.proxies out of the settings",
        )


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens at that address, any free port for 0. Raises UsageError where that can't be had."""
    if not 0 <= port <= MAX_PORT:
        raise UsageError(f"--port must be between 0 and {MAX_PORT} (it is {port})")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address[:2], family=family, backlog=BACKLOG)
        # asyncio does so for sockets of its own only; without it a client waits 40 ms for the body of each answer.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except OSError as error:
        said = getattr(error, "strerror", "") or str(error)
        raise UsageError(f"can't listen at {host}:{port}: {said}", "choose another --host or --port") from error


def _serve(app: FastAPI, listening: socket.socket, place: str, own: ServeSettings) -> None:
    import uvicorn

    from muniment.http.connections import bounded

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("muniment").setLevel(logging.INFO)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            # Addresses hold questions: our own line names the route.
            access_log=False,
            server_header=False,
            # By default it believes X-Forwarded-For of this machine, and of what the environment names.
            proxy_headers=False,
            ws="none",
            http=bounded(own.max_connections, own.head_timeout_s),
            h11_max_incomplete_event_size=HEAD_BYTES,
            timeout_graceful_shutdown=GRACE_S,
        )
    )
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    note(f"serving http://{shown}:{port} from {place}; stop it with Ctrl-C")
    # It raises the signal that stopped it once more when all is closed.
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
