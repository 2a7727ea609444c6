"""Embedding on Dask: the same index as without it, whatever becomes of a worker; and what is refused before."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import kept_generations
from muniment.store.reader import open_reader
from schemas.columns import CHUNKS
from tests.flows.conftest import EMBEDDER, Api, free_port, until
from tests.muniment.embedders.servers import EmbeddingServer
from tests.scale.conftest import WORKERS_KEY, Cluster, hold

OWN_KEY = "the-coordinator's"
SETTING = "MUNIMENT_SCALE__DASK_ADDRESS"


def index(repo: Path, home: Path, url: str, *more: str, **settings: str) -> subprocess.CompletedProcess[str]:
    own = EMBEDDER | {"URL": url, "API_KEY": OWN_KEY, "TIMEOUT_S": "120"}
    return subprocess.run(
        [sys.executable, "-m", "muniment", "index", str(repo), "--home", str(home), "--json", *more],
        env=dict(os.environ) | {f"MUNIMENT_EMBEDDER__{key}": value for key, value in own.items()} | settings,
        capture_output=True,
        text=True,
        check=False,
    )


def chunks(home: Path) -> list[dict[str, Any]]:
    with open_reader(home / "index") as reader:
        return sorted(reader.chunks([column.name for column in CHUNKS]).to_pylist(), key=lambda row: row["chunk_id"])


@pytest.mark.slow
def test_a_killed_worker_costs_nothing(
    cluster: Cluster, prefect_server: Api, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed while both workers hold a batch; the other one does the rest."""
    monkeypatch.setenv("PREFECT_HOME", str(prefect_server.home))
    done: list[subprocess.CompletedProcess[str]] = []
    with EmbeddingServer("openai") as server:
        at_work, go_on = threading.Semaphore(0), threading.Event()
        server.behaviour.spoil = lambda texts, vectors: hold(at_work, go_on, texts, vectors)
        spread_there = {SETTING: cluster.address}
        run = threading.Thread(
            target=lambda: done.append(index(sample, tmp_path / "spread", server.url, **spread_there))
        )
        run.start()
        try:
            for _ in cluster.workers:
                while not at_work.acquire(timeout=0.1):
                    assert run.is_alive(), done[0].stderr
            cluster.workers[0].send_signal(signal.SIGKILL)
            cluster.workers[0].wait()
        finally:
            go_on.set()
            run.join()
        keys = {one.headers["authorization"] for one in server.received if len(one.texts) > 2}
        direct = index(sample, tmp_path / "direct", server.url, "--engine", "direct")
    assert done[0].returncode == 0, done[0].stderr
    spread, alone = json.loads(done[0].stdout), json.loads(direct.stdout)
    assert (spread["embedded"], spread["pending"], spread["published"]) == (alone["embedded"], 0, alone["published"])
    assert chunks(tmp_path / "spread") == chunks(tmp_path / "direct")
    assert len(kept_generations(tmp_path / "spread" / "index")) == len(kept_generations(tmp_path / "direct" / "index"))
    # Theirs alone: the coordinator's own key never went to them.
    assert keys == {f"Bearer {WORKERS_KEY}"}
    batches = -(-alone["embedded"] // 32)
    wanted = [f"embed-{number:04d}" for number in range(1, batches + 1)]
    assert until(lambda: embeddings_booked(prefect_server) == wanted or None)


def embeddings_booked(api: Api) -> list[str]:
    """Names of the batches whose task runs completed."""
    only = {"id": {"any_": [api.last_run()["id"]]}}
    found = api.find("task_runs", flow_runs=only, task_runs={"state": {"type": {"any_": ["COMPLETED"]}}})
    return sorted(run["name"] for run in found if run["name"].startswith("embed-"))


@pytest.mark.slow
def test_without_a_scheduler_the_words_are_published(
    prefect_server: Api, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(prefect_server.home))
    address = f"tcp://127.0.0.1:{free_port()}"
    with EmbeddingServer("openai") as server:
        done = index(sample, tmp_path / "home", server.url, **{SETTING: address})
    assert done.returncode == 3, done.stderr
    report = json.loads(done.stdout)
    assert report["pending"] == report["chunks"] > 400
    assert report["pending_reason"] == f"the Dask scheduler at '{address}' does not answer"


@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("tcp://scheduler.example:8786", 4, "scale.dask_address names another machine"),
        ("scheduler", 2, "scale.dask_address is no address of a Dask scheduler: 'scheduler'"),
        ("tcp://127.0.0.1:99999", 2, "is no address of a Dask scheduler"),
        ("inproc://127.0.0.1:8786", 2, "is no address of a Dask scheduler"),
    ],
)
def test_a_scheduler_is_checked_before_anything_starts(
    muniment: Any, sample: Path, monkeypatch: pytest.MonkeyPatch, own_place: Path, address: str, code: int, said: str
) -> None:
    monkeypatch.setenv(SETTING, address)
    ran = muniment("index", sample)
    assert (ran.code, said in ran.err) == (code, True)
    assert not (own_place / "index").exists()


def test_a_missing_extra_is_named(muniment: Any, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "tcp://127.0.0.1:8786")
    monkeypatch.setitem(sys.modules, "prefect_dask", None)
    ran = muniment("index", sample)
    assert (ran.code, "pip install 'muniment[dask]'" in ran.err) == (2, True)
