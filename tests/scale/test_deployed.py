"""Deployed runs that embed on Dask and share their index over a bucket, with a worker of either kind killed midway."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment.store.bucket import Bucket, BucketChoice
from tests.conftest import commit_all, write
from tests.flows.conftest import EMBEDDER, Api, let_leases_run_out, logged, until, worker
from tests.muniment.embedders.servers import EmbeddingServer
from tests.scale.conftest import Cluster, hold
from tests.scale.gate import Gate
from tests.scale.test_shared import MakeMachine, needed, pointer, texts

pytestmark = pytest.mark.slow
DEPLOYMENT = "index/post-pull"


@pytest.fixture
def embedding(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    with EmbeddingServer("openai") as server:
        for key, value in (EMBEDDER | {"URL": server.url, "DIMENSION": "8", "TIMEOUT_S": "120"}).items():
            monkeypatch.setenv(f"MUNIMENT_EMBEDDER__{key}", value)
        yield server


def test_a_deployed_run_spreads_shares_and_survives(
    machine: MakeMachine, cluster: Cluster, deployed: Api, embedding: EmbeddingServer, sample: Path, bucket: Bucket,
    choice: BucketChoice, tmp_path: Path,
) -> None:  # fmt: skip
    """A Dask worker is killed while both hold a batch; the other one does the rest."""
    at_work, go_on = threading.Semaphore(0), threading.Event()
    embedding.behaviour.spoil = lambda texts, vectors: hold(at_work, go_on, texts, vectors)
    writer, reader = machine("writer"), machine("reader")
    try:
        with worker(deployed, tmp_path, MUNIMENT_SCALE__DASK_ADDRESS=cluster.address):
            run = deployed.start(DEPLOYMENT, paths=[str(sample)], home=str(writer.home))
            for _ in cluster.workers:
                until(lambda: at_work.acquire(blocking=False) or None)
            assert slots_taken(deployed, choice) == 1
            cluster.workers[0].send_signal(signal.SIGKILL)
            go_on.set()
            ended = deployed.ended(run)
            assert not [line for line in logged(deployed, run) if "Traceback" in line]
    finally:
        go_on.set()
    assert ended["state_name"] == "Completed", ended["state"]["message"]
    assert slots_taken(deployed, choice) == 0
    assert reader("pull", "--json").json["pulled"] is True
    assert (reader("verify").code, texts(reader)) == (0, texts(writer))
    assert json.loads(reader("status", "--json").out)["pending"] == 0
    nothing_is_left_over(writer, bucket)


@pytest.mark.usefixtures("words_only")
def test_a_machine_that_died_pushing_is_taken_over_from(
    machine: MakeMachine,
    deployed: Api,
    sample: Path,
    bucket: Bucket,
    choice: BucketChoice,
    emulator: str,
    tmp_path: Path,
) -> None:
    """Worker and run are gone when all but the pointer is in the bucket. Their slots run out, and others go on."""
    first, reader = machine("first"), machine("reader")
    assert first("index", sample).code == 0
    reader("pull")
    before, held = pointer(bucket), texts(reader)
    write(sample, {"new.md": "# New\n\nA page about lighthouses.\n"})
    commit_all(sample)
    with Gate(emulator) as gate:
        options = json.dumps(dict(choice.options) | {"endpoint": gate.url})
        with worker(deployed, tmp_path, MUNIMENT_SCALE__STORAGE_OPTIONS=options):
            deployed.start(DEPLOYMENT, home=str(first.home))
            until(lambda: gate.reached.is_set() or None)
    assert pointer(bucket) == before
    assert reader("pull", "--json").json["pulled"] is False
    assert texts(reader) == held
    assert slots_taken(deployed, choice) == 1
    let_leases_run_out(deployed)
    with worker(deployed, tmp_path):
        ended = deployed.ended(deployed.start(DEPLOYMENT, home=str(first.home)))
    assert ended["state_name"] == "Completed", ended["state"]["message"]
    assert slots_taken(deployed, choice) == 0
    assert reader("pull", "--json").json["pulled"] is True
    assert (reader("verify").code, texts(reader)) == (0, texts(first))
    assert "".join(texts(reader)).count("A page about lighthouses.") == 1
    nothing_is_left_over(first, bucket)


def slots_taken(api: Api, choice: BucketChoice) -> int:
    """Of the lock of the shared index."""
    from flows.deployments.slot import slot_name

    found: Any = api.ask("GET", f"v2/concurrency_limits/{slot_name(choice.url)}")
    taken: int = found["active_slots"]
    return taken


def nothing_is_left_over(machine: Any, bucket: Bucket) -> None:
    """The bucket holds what its generations are read from, and nothing else, once `gc` has run."""
    assert machine("gc").code == 0
    kept = [one.name for one in bucket.find("generations/")]
    assert {one.name for one in bucket.find("data/")} == needed(bucket, kept)
