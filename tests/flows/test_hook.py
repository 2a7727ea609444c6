"""A real pull, the hook that it runs, and the run that a real Prefect server starts for it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.hook_log import last_line, log_of
from tests.conftest import Ran, commit_all, git, make_repo, write
from tests.flows.conftest import Api, until

pytestmark = pytest.mark.slow


def started_by_events(api: Api) -> dict[str, Any]:
    """Flow runs that no person and no schedule made."""
    runs = api.find("flow_runs", sort="ID_DESC", limit=200)
    return {run["id"]: run for run in runs if (run["created_by"] or {}).get("type") == "AUTOMATION"}


def test_each_pull_starts_one_run(
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
    before = set(started_by_events(deployed))
    for name in ("kestrel", "wren"):
        write(origin, {f"{name}.md": f"# {name}\n\nThe {name} waits.\n"})
        commit_all(origin)
        done = subprocess.run(["git", "pull", "-q"], cwd=repo, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    until(lambda: told(own_place) >= 2 or None)
    assert last_line(own_place, repo).endswith(f": told Prefect at {deployed.url}")
    # Events are taken in order: what a first one started twice would be there when the second one's run is.
    begun = until(lambda: found if len(found := new_runs(deployed, before)) >= 2 else None)
    assert [run["parameters"] for run in begun] == [{"pulled": "muniment.repo.repo"}] * 2
    for run in begun:
        deployment = deployed.ask("GET", f"deployments/{run['deployment_id']}")
        assert deployment["name"] == "post-pull"
        # Nobody works here: it would wait for the worker of another test.
        deployed.ask("DELETE", f"flow_runs/{run['id']}")


def new_runs(api: Api, before: set[str]) -> list[Any]:
    """What events have started since."""
    return [run for number, run in started_by_events(api).items() if number not in before]


def told(home: Path) -> int:
    """How many pulls the hooks have told Prefect of."""
    return log_of(home).read_text().count(": told Prefect") if log_of(home).exists() else 0
