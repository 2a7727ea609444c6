"""A bucket on an S3 emulator of the session's own, and machines: homes that share nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from muniment.store.bucket import Bucket, BucketChoice
from tests.conftest import Ran
from tests.flows.conftest import free_port

PATIENCE_S = 120


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
