"""Prefect's server stopped and started in the midst of runs, and a machine that was switched off."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import make_repo
from tests.flows.conftest import EMBEDDER, Api, deploy, free_port, let_leases_run_out, running_server, until, worker
from tests.flows.test_server_faults import ended, start
from tests.flows.test_vectors import vectors
from tests.muniment.embedders.servers import EmbeddingServer

pytestmark = pytest.mark.slow
DOCUMENTS = 40


class Held:
    """An endpoint that keeps every batch waiting until it is told to go on."""

    def __init__(self, server: EmbeddingServer) -> None:
        self._asked, self._go_on = threading.Semaphore(0), threading.Event()
        server.behaviour.refuse = self._wait
        chosen = EMBEDDER | {"URL": server.url, "DIMENSION": "8", "TIMEOUT_S": "180"}
        self.settings = {f"MUNIMENT_EMBEDDER__{key}": value for key, value in chosen.items()}

    def _wait(self, texts: list[str]) -> None:
        if any("number" in text for text in texts):
            self._asked.release()
            self._go_on.wait()

    def wait_for_batches(self, count: int) -> None:
        """Returns when so many have come."""
        for _ in range(count):
            until(lambda: self._asked.acquire(blocking=False) or None)

    def go_on(self) -> None:
        """Answers all of them, and whatever comes."""
        self._go_on.set()


@pytest.fixture
def held() -> Iterator[Held]:
    with EmbeddingServer("openai") as server:
        held = Held(server)
        yield held
        held.go_on()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {f"{n}.md": f"# Part {n}\n\nAbout number{n}.\n" for n in range(DOCUMENTS)}
    return make_repo(tmp_path / "repo", dict(files))


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    """Of a server that is not started yet."""
    home = tmp_path / "prefect server"
    home.mkdir()
    with httpx.Client(timeout=60) as client:
        yield Api(f"http://127.0.0.1:{free_port()}/api", home, client)


def serving(api: Api, **how: Any) -> Any:
    return running_server(api.home, httpx.URL(api.url).port or 0, **how)


def test_runs_outlive_a_restart_of_the_server(held: Held, api: Api, repo: Path, tmp_path: Path) -> None:
    """One that is deployed and one of the command line, stopped while both wait for their vectors."""
    own = {"PREFECT_API_URL": api.url, "PREFECT_HOME": str(tmp_path / "client")}
    with ExitStack() as second, ExitStack() as first:
        first.enter_context(serving(api))
        deploy(api)
        second.enter_context(worker(api, tmp_path, **held.settings))
        deployed = api.start("index/post-pull", paths=[str(repo)], home=str(tmp_path / "deployed"))
        by_hand = start(repo, tmp_path / "by hand", **held.settings, **own)
        held.wait_for_batches(2)
        first.close()
        second.enter_context(serving(api))
        renew_lease(api, deployed)
        held.go_on()
        assert api.ended(deployed)["state_name"] == "Completed"
        (report,) = ended([by_hand])
        assert {run["state_name"] for run in api.find("flow_runs", flow_runs=begun())} == {"Completed"}
        assert slots_taken(api) == 0
    assert (report["embedded"], report["pending"]) == (DOCUMENTS, 0)
    for home in ("deployed", "by hand"):
        found = vectors(tmp_path / home)
        assert (len(found), all(found.values())) == (DOCUMENTS, True)


def test_a_power_cut_holds_up_no_deployment(held: Held, api: Api, repo: Path, tmp_path: Path) -> None:
    """Server, worker and run are gone at once. The run's slot is given back when its lease is over."""
    with ExitStack() as server:
        server.enter_context(serving(api, end=signal.SIGKILL))
        deploy(api)
        with worker(api, tmp_path, **held.settings):
            lost = api.start("index/post-pull", paths=[str(repo)], home=str(tmp_path / "home"))
            held.wait_for_batches(1)
            server.close()
    held.go_on()
    let_leases_run_out(api)
    often = {"PREFECT_SERVER_SERVICES_REPOSSESSOR_LOOP_SECONDS": "1"}
    with serving(api, **often), worker(api, tmp_path, **held.settings):
        assert api.run(lost)["state_name"] == "Running", "the page says that it stays so"
        ended = api.ended(api.start("index/post-pull", paths=[str(repo)], home=str(tmp_path / "home")))
        assert (ended["state_name"], ended["state"]["message"]) == (
            "Completed",
            f"generation 1: {DOCUMENTS} documents, {DOCUMENTS} chunks",
        )
    assert all(vectors(tmp_path / "home").values())


def renew_lease(api: Api, flow_run: Any) -> None:
    """As a deployed run does every few minutes; where that is refused, Prefect ends it."""
    lease = api.run(flow_run)["state"]["state_details"]["deployment_concurrency_lease_id"]
    api.ask("POST", f"v2/concurrency_limits/leases/{lease}/renew", {"lease_duration": 300})


def slots_taken(api: Api) -> int:
    """Of the deployment, by its last run."""
    found = api.ask("GET", "deployments/name/index/post-pull")["global_concurrency_limit"]
    taken: int = found["active_slots"]
    return taken


def begun() -> dict[str, Any]:
    return {"state": {"type": {"not_any_": ["SCHEDULED"]}}}
