"""A bucket on an S3 emulator of the session's own, and machines: homes that share nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from muniment.store.bucket import Bucket, BucketChoice
from tests.conftest import Ran
from tests.flows.conftest import Api, free_port, until
from tests.scale.reading import Shelf, make_shelf

PATIENCE_S = 120
DASK = str(Path(sys.executable).with_name("dask"))
WORKERS_KEY = "the-workers'"


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an S3 emulator."""
    port = free_port()
    place = tmp_path_factory.mktemp("s3")
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with (place / "moto.log").open("wb") as log, subprocess.Popen(command, cwd=place, stdout=log, stderr=log) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/moto-api/", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while True:
        assert server.poll() is None, "the emulator ended: see moto.log"
        try:
            httpx.get(url).raise_for_status()
        except httpx.TransportError:
            assert time.monotonic() < give_up
            time.sleep(0.1)
        else:
            return


@pytest.fixture
def choice(emulator: str, tmp_path: Path) -> BucketChoice:
    """A bucket of the test's own."""
    name = f"b{abs(hash(tmp_path)):x}"
    # An emulator takes any signature, and for a new bucket none.
    httpx.put(
        f"{emulator}/{name}",
        headers={"Authorization": "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request"},
    ).raise_for_status()
    options = {"endpoint": emulator, "region": "us-east-1", "allow_http": "true"}
    keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
    return BucketChoice(f"s3://{name}/docs", tuple(sorted((options | keys).items())))


@pytest.fixture
def bucket(choice: BucketChoice) -> Bucket:
    """What lies under the url."""
    return Bucket(choice)


@dataclass(frozen=True)
class Machine:
    """A home, and commands run in it."""

    home: Path
    run: Callable[..., Ran]

    @property
    def index(self) -> Path:
        return self.home / "index"

    def __call__(self, command: str, *words: object) -> Ran:
        return self.run(command, *words, "--home", self.home)


@pytest.fixture
def machine(
    choice: BucketChoice, tmp_path: Path, muniment: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Machine]:
    """Makes a machine that shares its index over the bucket: `machine("a")`."""
    monkeypatch.setenv("MUNIMENT_SCALE__URL", choice.url)
    monkeypatch.setenv("MUNIMENT_SCALE__STORAGE_OPTIONS", json.dumps(dict(choice.options)))
    monkeypatch.setenv("MUNIMENT_SCALE__ORPHAN_HOURS", "0")
    return lambda name: Machine(tmp_path / name, muniment)


def environ() -> dict[str, str]:
    """The environment of a process of its own."""
    return dict(os.environ)


@dataclass(frozen=True)
class Cluster:
    """A Dask scheduler and two workers, each a process."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path, prefect_server: Api) -> Iterator[Cluster]:
    prefect_server.client.get(f"{prefect_server.url}/admin/version", timeout=60)  # the first answer takes seconds
    address = f"tcp://127.0.0.1:{free_port()}"
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("MUNIMENT_", "PREFECT_"))}
    environ["MUNIMENT_EMBEDDER__API_KEY"] = WORKERS_KEY
    where = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = [DASK, "scheduler", *where, "--port", address.rpartition(":")[2]]
    worker = [
        DASK,
        "worker",
        address,
        *where,
        "--nthreads",
        "1",
        "--no-nanny",
        "--local-directory",
        str(tmp_path / "dask"),
    ]
    with (tmp_path / "dask.log").open("wb") as log:
        begun = [
            subprocess.Popen(command, cwd=tmp_path, env=environ, stdout=log, stderr=log)
            for command in (scheduler, worker, worker)
        ]
        try:
            until(lambda: (tmp_path / "dask.log").read_text().count("Starting worker compute stream") == 2 or None)
            yield Cluster(address, begun[1:])
        finally:
            for one in begun:
                one.kill()
                one.wait()


def hold(at_work: threading.Semaphore, go_on: threading.Event, texts: list[str], vectors: list[Any]) -> list[Any]:
    """Lets go of a batch's vectors only when told to."""
    if len(texts) > 2:
        at_work.release()
        go_on.wait()
    return vectors


@pytest.fixture
def shelf(machine: Callable[[str], Machine], tmp_path: Path) -> Shelf:
    return make_shelf(tmp_path, machine("writer"))


@pytest.fixture
def reader(shelf: Shelf, machine: Callable[[str], Machine], monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine that has nothing but the settings."""
    monkeypatch.setenv("MUNIMENT_SCALE__READ_IN_PLACE", "true")
    return machine("reader")
