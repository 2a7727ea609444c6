"""A Prefect server of the session's own, started once and only when a test asks for it, and an endpoint for vectors."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.muniment.embedders.servers import EmbeddingServer

T = TypeVar("T")
PATIENCE_S = 180
EMBEDDER = {"NAME": "openai", "MODEL": "tiny", "TIMEOUT_S": "20"}


@dataclass(frozen=True)
class Api:
    """Prefect's API, as far as tests look into it."""

    url: str
    home: Path
    client: httpx.Client

    def find(self, what: str, **query: Any) -> Any:
        """The objects of a kind that match."""
        return self.client.post(f"{self.url}/{what}/filter", json=query).raise_for_status().json()

    def last_run(self) -> Any:
        """The flow run that started last; a deployment's schedule has more that lie ahead."""
        begun = {"state": {"type": {"not_any_": ["SCHEDULED"]}}}
        return self.find("flow_runs", flow_runs=begun, sort="START_TIME_DESC", limit=1)[0]

    def tasks(self, flow_run: Any, count: int) -> list[Any]:
        """The task runs of a flow run in order, once so many are booked as ended."""
        only = {"id": {"any_": [flow_run["id"]]}}

        def booked() -> list[Any] | None:
            found = self.find("task_runs", flow_runs=only, sort="EXPECTED_START_TIME_ASC")
            ended = all(run["state_type"] in ("COMPLETED", "FAILED") for run in found)
            return found if ended and len(found) == count else None

        return until(booked)


def until(look: Callable[[], T | None]) -> T:
    """What the look finds, once it finds something: Prefect's server books some of what it is told later."""
    give_up = time.monotonic() + PATIENCE_S
    while (found := look()) is None:
        assert time.monotonic() < give_up, f"never happened: {look}"
        time.sleep(0.1)
    return found


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API of a server with a home of its own; its address stands in the active profile there."""
    home = tmp_path_factory.mktemp("prefect")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/api"
    (home / "profiles.toml").write_text(f'active = "here"\n[profiles.here]\nPREFECT_API_URL = "{url}"\n')
    start = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with pytest.MonkeyPatch.context() as environ, (home / "server.log").open("w") as log:
        for name in [name for name in os.environ if name.startswith("PREFECT_")]:
            environ.delenv(name)
        environ.setenv("PREFECT_HOME", str(home))
        environ.setenv("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
        environ.setenv("PREFECT_LOGGING_TO_API_BATCH_INTERVAL", "0.1")
        environ.setenv("DO_NOT_TRACK", "1")
        with httpx.Client() as client, subprocess.Popen(start, cwd=home, stdout=log, stderr=log) as server:
            # Now and not in a test: it keeps the stderr of its import, and a test's own is closed when the test ends.
            import prefect  # noqa: F401

            try:
                until(lambda: answers(client, url, server))
                yield Api(url, home, client)
            finally:
                server.terminate()


def answers(client: httpx.Client, url: str, server: subprocess.Popen[bytes]) -> bool | None:
    assert server.poll() is None, "the server ended: see server.log"
    try:
        return client.get(f"{url}/health").is_success or None
    except httpx.TransportError:
        return None


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """An OpenAI-compatible server on loopback, and settings that use it."""
    with EmbeddingServer("openai") as running:
        for key, value in (EMBEDDER | {"URL": running.url}).items():
            monkeypatch.setenv(f"MUNIMENT_EMBEDDER__{key}", value)
        yield running
