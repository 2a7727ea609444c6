"""The slot of a shared index: a global concurrency limit of Prefect's that one run holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from muniment.store.bucket import Bucket, BucketChoice
from tests.flows.conftest import Api


def index(repo: Path, home: Path, choice: BucketChoice) -> subprocess.CompletedProcess[str]:
    own = {
        "MUNIMENT_EMBEDDER__NAME": "none",
        "MUNIMENT_SCALE__URL": choice.url,
        "MUNIMENT_SCALE__STORAGE_OPTIONS": json.dumps(dict(choice.options)),
    }
    return subprocess.run(
        [sys.executable, "-m", "muniment", "index", str(repo), "--home", str(home), "--engine", "prefect"],
        env=dict(os.environ) | own,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_run_waits_for_nobody_who_holds_the_slot(
    prefect_server: Api,
    sample: Path,
    tmp_path: Path,
    choice: BucketChoice,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(prefect_server.home))
    from flows.deployments.slot import slot_name

    limits, name = f"{prefect_server.url}/v2/concurrency_limits", slot_name(choice.url)
    prefect_server.client.post(f"{limits}/", json={"name": name, "limit": 1}).raise_for_status()
    asked = {"names": [name], "slots": 1, "mode": "concurrency", "lease_duration": 600}
    held: Any = prefect_server.client.post(f"{limits}/increment-with-lease", json=asked).raise_for_status().json()
    busy = index(sample, tmp_path / "home", choice)
    assert (busy.returncode, f"another run is writing the index at '{choice.url}'" in busy.stderr) == (75, True)
    assert Bucket(choice).read("current.json") is None
    given = {"lease_id": held["lease_id"]}
    prefect_server.client.post(f"{limits}/decrement-with-lease", json=given).raise_for_status()
    free = index(sample, tmp_path / "home", choice)
    assert free.returncode == 0, free.stderr
    assert Bucket(choice).read("current.json")
    after = prefect_server.client.get(f"{limits}/{name}").raise_for_status().json()
    assert after["active_slots"] == 0
