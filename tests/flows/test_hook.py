"""A real pull, the hook that it runs, and the run that a real Prefect server starts for it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.hook_log import last_line
from tests.conftest import Ran, commit_all, git, make_repo, write
from tests.flows.conftest import Api, until

pytestmark = pytest.mark.slow


def started_by_events(api: Api) -> dict[str, Any]:
    """Flow runs that no person and no schedule made."""
    runs = api.find("flow_runs", sort="ID_DESC", limit=200)
    return {run["id"]: run for run in runs if (run["created_by"] or {}).get("type") == "AUTOMATION"}


def test_a_pull_starts_the_deployment(
    muniment: Callable[..., Ran], deployed: Api, tmp_path: Path, own_place: Path, words_only: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    origin = make_repo(tmp_path / "origin", {"heron.md": "# Heron\n\nThe heron waits.\n"})
    git(tmp_path, "clone", "-q", str(origin), "repo")
    repo = tmp_path / "repo"
    muniment("index", repo, "--engine", "direct")
    muniment("hook", "install", repo)
    # As `prefect config set` leaves it: the hook has no other way to know.
    monkeypatch.setenv("PREFECT_HOME", str(deployed.home))
    before = started_by_events(deployed)
    write(origin, {"kestrel.md": "# Kestrel\n\nThe kestrel hovers.\n"})
    commit_all(origin)
    done = subprocess.run(["git", "pull", "-q"], cwd=repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    until(lambda: last_line(own_place, repo) or None)
    assert last_line(own_place, repo).endswith(f": told Prefect at {deployed.url}")
    begun = until(lambda: set(started_by_events(deployed)) - set(before) or None)
    (flow_run,) = (started_by_events(deployed)[number] for number in begun)
    deployment = deployed.client.get(f"{deployed.url}/deployments/{flow_run['deployment_id']}").json()
    assert (deployment["name"], flow_run["parameters"]) == ("post-pull", {})
    # Nobody works here: it would wait for the worker of another test.
    deployed.client.delete(f"{deployed.url}/flow_runs/{flow_run['id']}").raise_for_status()
