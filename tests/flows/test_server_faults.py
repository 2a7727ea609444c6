"""Prefect's server under strain: it goes away in the midst of a run, and serves several runs at once."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import make_repo
from tests.flows.conftest import EMBEDDER, OVER, PROGRAM, Api, free_port, running_server, until
from tests.flows.test_vectors import vectors
from tests.muniment.embedders.servers import EmbeddingServer

pytestmark = pytest.mark.slow


def start(repo: Path, home: Path, **environ: str) -> subprocess.Popen[str]:
    """`muniment index --engine prefect`, as a process."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("MUNIMENT_", "GIT_"))}
    return subprocess.Popen(
        [PROGRAM, "index", repo, "--home", home, "--engine", "prefect", "--json"],
        env=inherited | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(running: Sequence[subprocess.Popen[str]]) -> list[dict[str, Any]]:
    """The reports of processes that have to go well."""
    reports = []
    for process in running:
        out, err = process.communicate(timeout=180)
        assert process.returncode == 0, err
        assert "Traceback" not in err
        reports.append(json.loads(out))
    return reports


def test_a_server_restarted_in_the_midst_of_a_run_is_outlived(tmp_path: Path) -> None:
    """It is stopped when the first batch is asked for, and that is answered once the server is back."""
    repo = make_repo(tmp_path / "repo", {f"{n}.md": f"# Part {n}\n\nAbout number{n}.\n" for n in range(40)})
    (tmp_path / "server").mkdir()
    port = free_port()
    with EmbeddingServer("openai") as embedding, ExitStack() as second, ExitStack() as first:
        url = first.enter_context(running_server(tmp_path / "server", port))

        def restart(texts: list[str]) -> None:
            if any("number" in text for text in texts):
                embedding.behaviour.refuse = lambda texts: None
                first.close()
                second.enter_context(running_server(tmp_path / "server", port))

        embedding.behaviour.refuse = restart
        chosen = EMBEDDER | {"URL": embedding.url, "DIMENSION": "8", "TIMEOUT_S": "180"}
        environ = {f"MUNIMENT_EMBEDDER__{key}": value for key, value in chosen.items()}
        place = {"PREFECT_API_URL": url, "PREFECT_HOME": str(tmp_path / "client")}
        (report,) = ended([start(repo, tmp_path / "home", **environ, **place)])
        assert (report["embedded"], report["pending"]) == (40, 0)
        assert all(vectors(tmp_path / "home").values())
        with httpx.Client(timeout=60) as client:
            api = Api(url, tmp_path, client)
            states = until(lambda: over(api, 1))
    assert states == ["Completed"]


def test_three_runs_at_once_lose_nothing(prefect_server: Api, tmp_path: Path) -> None:
    """All of them write to the one SQLite file that the server keeps."""
    place = {"MUNIMENT_EMBEDDER__NAME": "none", "PREFECT_API_URL": prefect_server.url}
    repos = [
        make_repo(tmp_path / f"repo{n}", {f"{m}.md": f"# Part {m}\n\nAbout number{m}.\n" for m in range(20 + n)})
        for n in range(3)
    ]
    reports = ended([start(repo, tmp_path / f"home{n}", **place) for n, repo in enumerate(repos)])
    assert [report["documents"] for report in reports] == [20, 21, 22]
    runs = [run for run in prefect_server.find("flow_runs", sort="START_TIME_DESC", limit=20) if of(run, repos)]
    assert [run["state_name"] for run in runs] == ["Completed"] * 3
    steps = [until(partial(finished, prefect_server, run)) for run in runs]
    assert len({tuple(one["name"] for one in found) for found in steps}) == 1, "each has booked the same steps"


def of(run: Any, repos: Sequence[Path]) -> bool:
    return run["parameters"].get("paths") in [[str(repo)] for repo in repos]


def over(api: Api, count: int) -> list[str] | None:
    """Names of the states of all flow runs, once so many are over."""
    found = api.find("flow_runs")
    return [run["state_name"] for run in found] if sum(run["state_type"] in OVER for run in found) == count else None


def finished(api: Api, run: Any) -> list[Any] | None:
    """The task runs of a flow run, in order, once the last step of a run is over and none is under way."""
    only = {"id": {"any_": [run["id"]]}}
    found = api.find("task_runs", flow_runs=only, sort="EXPECTED_START_TIME_ASC")
    done = all(task["state_type"] in OVER for task in found) and any(task["name"] == "reclaim" for task in found)
    return found if done else None
