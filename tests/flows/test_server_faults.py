"""Prefect's server while its database is locked, with several runs at once and pulls that come meanwhile."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.conftest import make_repo
from tests.flows.conftest import OVER, PROGRAM, Api, until

pytestmark = pytest.mark.slow
REFUSED = "Encountered retryable exception in request"
"""What the server logs of a request that it answers with 503: ask again."""


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


def test_runs_and_pulls_survive_a_locked_database(deployed: Api, tmp_path: Path) -> None:
    """Three runs start and three pulls are told while somebody else writes into the server's one SQLite file."""
    place = {"MUNIMENT_EMBEDDER__NAME": "none", "PREFECT_API_URL": deployed.url}
    repos = [
        make_repo(tmp_path / f"repo{n}", {f"{m}.md": f"# Part {m}\n\nAbout number{m}.\n" for m in range(20 + n)})
        for n in range(3)
    ]
    before = {run["id"] for run in by_event(deployed)}
    with refusing(deployed, 6):
        running = [start(repo, tmp_path / f"home{n}", **place) for n, repo in enumerate(repos)]
        deployed.ask("POST", "events", [pulled(repo) for repo in repos])
    reports = ended(running)
    assert [(report["documents"], report["generation"]) for report in reports] == [(20, 1), (21, 1), (22, 1)]
    runs = [run for run in deployed.find("flow_runs", sort="START_TIME_DESC", limit=50) if of(run, repos)]
    assert [run["state_name"] for run in runs] == ["Completed"] * 3
    steps = [until(partial(finished, deployed, run)) for run in runs]
    assert len({tuple(one["name"] for one in found) for found in steps}) == 1, "each has booked the same steps"
    told = until(
        lambda: new if len(new := [run for run in by_event(deployed) if run["id"] not in before]) >= 3 else None
    )
    assert len(told) == 3
    for run in told:  # nobody works here: they would wait for the worker of another test
        deployed.ask("DELETE", f"flow_runs/{run['id']}")


@contextmanager
def refusing(api: Api, times: int) -> Iterator[None]:
    """Writes to the server's database, small and often, until it has refused so many requests for that."""
    log, ended = api.home / "server.log", Event()
    before = log.read_text().count(REFUSED)

    def write() -> None:
        with closing(sqlite3.connect(api.home / "prefect.db", timeout=60, isolation_level=None)) as database:
            database.execute("CREATE TABLE IF NOT EXISTS somebody_else (number)")
            while not ended.wait(0.002):
                # Whoever has read by now, and would write, is told that the database is locked: SQLITE_BUSY_SNAPSHOT.
                database.execute("INSERT INTO somebody_else VALUES (1)")

    writing = Thread(target=write)
    writing.start()
    try:
        yield
        until(lambda: log.read_text().count(REFUSED) >= before + times or None)
    finally:
        ended.set()
        writing.join()


def pulled(repo: Path) -> dict[str, Any]:
    """The event of a pull, as the hook sends it."""
    return {
        "id": str(uuid.uuid4()),
        "occurred": datetime.now(UTC).isoformat(),
        "event": "muniment.repo.pulled",
        "resource": {"prefect.resource.id": f"muniment.repo.{repo.name}"},
    }


def new_runs(api: Api, before: set[str], count: int) -> list[Any] | None:
    """What events have started since, once that is so many."""
    found = [run for run in by_event(api) if run["id"] not in before]
    return found if len(found) >= count else None


def by_event(api: Api) -> list[Any]:
    """Flow runs that no person and no schedule made."""
    runs = api.find("flow_runs", sort="ID_DESC", limit=200)
    return [run for run in runs if (run["created_by"] or {}).get("type") == "AUTOMATION"]


def of(run: Any, repos: Sequence[Path]) -> bool:
    return run["parameters"].get("paths") in [[str(repo)] for repo in repos]


def finished(api: Api, run: Any) -> list[Any] | None:
    """The task runs of a flow run, in order, once the last step of a run is over and none is under way."""
    only = {"id": {"any_": [run["id"]]}}
    found = api.find("task_runs", flow_runs=only, sort="EXPECTED_START_TIME_ASC")
    done = all(task["state_type"] in OVER for task in found) and any(task["name"] == "reclaim" for task in found)
    return found if done else None
