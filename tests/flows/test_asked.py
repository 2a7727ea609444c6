"""What is asked of a deployment: by parameters, which are checked at once, and what the run is called for it."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import make_repo
from tests.flows.conftest import Api, logged, prefect_says, until, worker

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"paths": "/srv/git/ops"}, "field 'paths'. Failure reason: '/srv/git/ops' is not of type 'array'"),
        ({"paths": ["ops"]}, "'ops' does not match"),
        ({"home": "data"}, "field 'home'. Failure reason: 'data' does not match"),
        ({"config": "muniment.toml"}, "field 'config'. Failure reason: 'muniment.toml' does not match"),
        ({"worktree": "perhaps"}, "field 'worktree'. Failure reason: 'perhaps' is not of type 'boolean'"),
        ({"patience_s": -1}, "field 'patience_s'. Failure reason: -1 is less than the minimum of 0"),
    ],
)
def test_wrong_parameters_are_refused_at_once(deployed: Api, parameters: dict[str, Any], said: str) -> None:
    found = deployed.ask("GET", "deployments/name/index/post-pull")
    wanted = {"parameters": parameters, "idempotency_key": str(uuid.uuid4())}
    refused = deployed.client.post(f"{deployed.url}/deployments/{found['id']}/create_flow_run", json=wanted)
    assert (refused.status_code, said in refused.json()["detail"]) == (409, True), refused.text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ('paths=["ops"]', "Error creating flow run: Validation failed for field 'paths[0]'"),
        ('path=["/srv/git/ops"]', "specified but not found on the deployment: 'path'"),
    ],
)
def test_the_command_line_says_what_is_wrong(deployed: Api, asked: str, said: str) -> None:
    refused = prefect_says(deployed, "deployment", "run", "index/post-pull", "-p", asked)
    words = " ".join((refused.stdout + refused.stderr).split())
    assert (refused.returncode, said in words, "Traceback" in words) == (1, True, False), words


def test_runs_say_what_they_are_about_and_why_they_failed(
    deployed: Api, tmp_path: Path, own_place: Path, words_only: None
) -> None:
    make_repo(tmp_path / "ops", {"a.md": "# A\n\nText.\n"})
    paths = [str(tmp_path / "ops"), str(tmp_path / "gone")]
    with worker(deployed, tmp_path):
        failed = deployed.ended(deployed.start("index/post-pull", paths=paths))
        done = deployed.ended(deployed.start("index/post-pull", paths=paths[:1]))
        both = [deployed.start("index/post-pull", pulled="muniment.repo.ops"), deployed.start("rebuild/rebuild")]
        pulled, rebuilt = map(deployed.ended, both)
        until(lambda: "Finished in state Failed" in "".join(logged(deployed, failed)) or None)
    named = [run["name"] for run in (failed, done, pulled, rebuilt)]
    assert named == ["ops, gone", "ops", "pull of ops", "all sources"]
    assert (failed["state_name"], failed["state"]["message"]) == (
        "Failed",
        f"'{tmp_path / 'gone'}' does not exist\nhint: check the path",
    )
    assert not [line for line in logged(deployed, failed) if "Traceback" in line or "unexpected" in line]
