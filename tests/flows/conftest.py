"""What tests know of a Prefect server, its worker and its runs; and an endpoint for vectors."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.conftest import ROOT, make_repo
from tests.flows.held import section
from tests.muniment.embedders.servers import EmbeddingServer

T = TypeVar("T")
PATIENCE_S = 180
OVER = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
PROGRAM = Path(sys.executable).with_name("muniment")
"""Not `python -m muniment`, which would look in the working folder first."""
EMBEDDER = {"NAME": "openai", "MODEL": "tiny", "TIMEOUT_S": "20"}


@dataclass(frozen=True)
class Api:
    """Prefect's API, as far as tests look into it."""

    url: str
    home: Path
    client: httpx.Client

    def ask(self, method: str, path: str, json: Any = None) -> Any:
        """What the API answers; asked again, as Prefect's own clients do, while its database is busy."""

        def answered() -> httpx.Response | None:
            answer = self.client.request(method, f"{self.url}/{path}", json=json)
            return None if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE else answer

        answer = until(answered).raise_for_status()
        return answer.json() if answer.content else None

    def find(self, what: str, **query: Any) -> Any:
        """The objects of a kind that match."""
        return self.ask("POST", f"{what}/filter", query)

    def run(self, flow_run: Any) -> Any:
        """A flow run as it is now."""
        return self.ask("GET", f"flow_runs/{flow_run['id']}")

    def start(self, deployment: str, **parameters: Any) -> Any:
        """A new run of a deployment, for a worker to take."""
        found = self.ask("GET", f"deployments/name/{deployment}")
        wanted = {"parameters": parameters, "idempotency_key": str(uuid.uuid4())}
        return self.ask("POST", f"deployments/{found['id']}/create_flow_run", wanted)

    def ended(self, flow_run: Any) -> Any:
        """The flow run, once it is over."""
        return until(lambda: run if (run := self.run(flow_run))["state_type"] in OVER else None)

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


@contextlib.contextmanager
def running_server(home: Path, port: int, *, end: signal.Signals = signal.SIGTERM, **more: str) -> Iterator[str]:
    """The address of the API of a server with that home and port, as long as the block runs.

    It is started as docs/prefect.md says, in the checkout, whose prefect.toml it obeys.
    """
    url = f"http://127.0.0.1:{port}/api"
    start = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PREFECT_")}
    environ |= {"PREFECT_HOME": str(home), "DO_NOT_TRACK": "1"} | more
    with (
        httpx.Client(timeout=60) as client,
        (home / "server.log").open("a") as log,
        subprocess.Popen(start, cwd=ROOT, env=environ, stdout=log, stderr=log) as server,
    ):
        try:
            until(lambda: answers(client, url, server))
            yield url
        finally:
            server.send_signal(end)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextlib.contextmanager
def serving_prefect(home: Path) -> Iterator[Api]:
    """The API of a server with that home, where the active profile has its address; for this process as well."""
    assert "prefect" not in sys.modules, "what an earlier test loaded keeps the settings of whoever runs this"
    port = free_port()
    profile = f'active = "here"\n[profiles.here]\nPREFECT_API_URL = "http://127.0.0.1:{port}/api"\n'
    (home / "profiles.toml").write_text(profile)
    more: Any = {"PREFECT_SERVER_LOG_RETRYABLE_ERRORS": "true", "PREFECT_SERVER_SERVICES_REPOSSESSOR_LOOP_SECONDS": "1"}
    with (
        pytest.MonkeyPatch.context() as environ,
        running_server(home, port, **more) as url,
        httpx.Client(timeout=60) as client,
    ):
        for name in [name for name in os.environ if name.startswith("PREFECT_")]:
            environ.delenv(name)
        environ.setenv("PREFECT_HOME", str(home))
        environ.setenv("PREFECT_LOGGING_TO_API_BATCH_INTERVAL", "0.1")
        environ.setenv("DO_NOT_TRACK", "1")
        # Now and not in a test: it keeps the stderr of its import, and a test's own is closed when the test ends.
        import prefect  # noqa: F401

        yield Api(url, home, client)


def logged(api: Api, flow_run: Any) -> list[str]:
    """What a flow run and its tasks have logged so far."""
    only = {"flow_run_id": {"any_": [flow_run["id"]]}}
    return [line["message"] for line in api.find("logs", logs=only, limit=200)]


def deploy(api: Api) -> None:
    """Deploys everything that prefect.yaml names."""
    prefect(api, "work-pool", "create", "local", "--type", "process")
    prefect(api, "--no-prompt", "deploy", "--all")


def let_leases_run_out(api: Api) -> None:
    """As if minutes had gone by since whoever holds a slot last renewed it, on the server's disk."""
    over, leases = (datetime.now(UTC) - timedelta(seconds=1)).isoformat(), api.home / "concurrency_leases"
    index = leases / "expirations.json"
    index.write_text(json.dumps(dict.fromkeys(json.loads(index.read_text()), over)))
    for lease in set(leases.glob("*.json")) - {index}:
        lease.write_text(json.dumps(json.loads(lease.read_text()) | {"expiration": over}))


def prefect(api: Api, *words: str) -> None:
    """Runs a command of Prefect's in the checkout, which has to go well."""
    done = prefect_says(api, *words)
    assert done.returncode == 0, done.stdout + done.stderr


def prefect_says(api: Api, *words: str) -> subprocess.CompletedProcess[str]:
    """What a command of Prefect's says and returns, run in the checkout."""
    environ = os.environ | {"PREFECT_API_URL": api.url}
    command = [sys.executable, "-m", "prefect", *words]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


@contextlib.contextmanager
def worker(api: Api, folder: Path, *options: str, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker started in a folder; it and the runs that it has begun end with the block."""
    own = {"PREFECT_API_URL": api.url, "PREFECT_WORKER_QUERY_SECONDS": "1"}
    with subprocess.Popen(
        [PROGRAM, "worker", *options],
        cwd=folder,
        env=os.environ | own | environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as started:
        try:
            yield started
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)


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


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository of four documents."""
    return make_repo(tmp_path / "repo", {f"{name}.md": section(name) for name in ("alpha", "beta", "gamma", "delta")})
