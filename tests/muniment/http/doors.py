"""A small index behind an app in this process, and a client for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI

from flows.index import index
from flows.job import IndexJob
from muniment.embedders import EmbedderChoice
from muniment.home import Config
from muniment.http.app import make_app
from muniment.http.serving import Serving
from muniment.runner import Direct
from muniment.settings import load_settings
from schemas.files import Source

BASE = "http://127.0.0.1:8765"
FILES = {
    "scripts/kestrel.sh": "#!/bin/sh\n#\n# kestrel.sh - copy the archive\n#\n# OPERATIONAL SAFEGUARDS\n#\n"
    "# Grace window\n"
    "#   On TERM the copy in hand gets KESTREL_GRACE seconds (default: 300) to finish, and is\n"
    "#   thrown away after that.\n#\nexit 0\n",
    "conf/kestrel.conf.template": "# Seconds that the copy in hand gets on TERM\nKESTREL_GRACE=120\n",
    "docs/heron.md": "# Heron\n\nThe heron job prints <b onclick=alert(1)>labels</b> & tags for the boxes.\n\n"
    "## Sleep\n\nThe heron job never sleeps.\n",
    "docs/wren.md": "# Wren\n\nThe wren only watches the heron.\n",
    "docs/finch.md": "# Finch\n\nThe finch counts seeds.\n",
}
QUESTION = "How long does the copy in hand get to finish on TERM?"
WORDS_ONLY = {"embedder": {"name": "none"}}


class Door:
    """Sends requests to an app, each over a connection of its own."""

    def __init__(self, app: FastAPI, portal: BlockingPortal) -> None:
        self.app = app
        self._portal = portal

    @property
    def serving(self) -> Serving:
        found: Serving = self.app.state.serving
        return found

    def request(self, method: str, path: str, client: str = "127.0.0.1", **more: Any) -> httpx.Response:
        return self._portal.call(partial(self._request, method, path, client, **more))

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.request("POST", path, json=json, **more)

    async def _request(self, method: str, path: str, client: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=(client, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as sender:
            return await sender.request(method, path, **more)


@contextmanager
def opened(home: Path, host: str = "127.0.0.1", **settings: Any) -> Iterator[Door]:
    """A door to the index of a home, open while the block runs."""
    # Asking as often as tests do is for the test of that to find out.
    values = {**WORDS_ONLY, **settings, "serve": {"rate": 1_000, "burst": 10_000, **settings.get("serve", {})}}
    config = Config(None, "", values)
    app = make_app(home, config, load_settings(config), {}, host)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(app.router.lifespan_context(app)):
        yield Door(app, portal)


def index_repo(home: Path, repo: Path) -> int:
    """Indexes a repository by its words and returns the generation."""
    source = Source("birds", str(repo))
    job = IndexJob(home / "index", home / "runs", (source,), EmbedderChoice(name="none"), keep_generations=1)
    return index(job, Direct()).generation
