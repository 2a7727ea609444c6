"""Deployed runs on a real worker: killed, queued, triggered, and started where somebody else's files lie."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import read_current
from tests.conftest import commit_all, make_repo, write
from tests.flows.conftest import EMBEDDER, Api, until, worker
from tests.flows.test_vectors import vectors
from tests.muniment.embedders.servers import EmbeddingServer, Handler

pytestmark = pytest.mark.slow


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {f"{name}.md": f"# {name}\n\nAbout {name}.\n" for name in ("alpha", "beta")})


def test_a_killed_run_crashes_and_the_queued_one_proceeds(
    deployed: Api, repo: Path, own_place: Path, tmp_path: Path
) -> None:
    """The second is queued while the first one runs, as the deployment says, and gets its turn when that is killed."""
    reached = threading.Event()

    def hang(handler: Handler) -> None:
        reached.set()
        handler.hang()

    with EmbeddingServer("openai") as server:
        chosen = EMBEDDER | {"URL": server.url, "DIMENSION": "8", "TIMEOUT_S": "600"}
        environ = {f"MUNIMENT_EMBEDDER__{key}": value for key, value in chosen.items()}
        server.behaviour.instead = hang
        with worker(deployed, tmp_path, **environ):
            first = deployed.start("index/post-pull", paths=[str(repo)])
            until(lambda: reached.is_set() or None)
            second = deployed.start("index/post-pull", paths=[str(repo)])
            until(lambda: deployed.run(second)["state_name"] == "AwaitingConcurrencySlot" or None)
            assert deployed.run(first)["state_name"] == "Running"

            server.behaviour.instead = None
            pid = deployed.run(first)["infrastructure_pid"].rpartition(":")[2]
            os.kill(int(pid), signal.SIGKILL)
            assert deployed.ended(first)["state_name"] == "Crashed"
            ended = deployed.ended(second)
    assert (ended["state_name"], ended["state"]["message"]) == ("Completed", "generation 1: 2 documents, 2 chunks")
    assert {path: bool(vector) for path, vector in vectors(own_place).items()} == {"alpha.md": True, "beta.md": True}


TRAP = "import pathlib; pathlib.Path(__file__).with_suffix('.sprung').touch(); raise SystemExit('sprung')"
LOGS = """
version: 1
disable_existing_loggers: false
handlers:
  trap: {"()": logging.FileHandler, filename: %s}
root: {level: DEBUG, handlers: [trap]}
"""
PACKAGES = ("tasks", "flows", "schemas", "muniment", "prefect")


def lay_traps(folder: Path) -> None:
    """Everything that Python or Prefect may take from a working folder; what is taken leaves a file behind."""
    names = (
        *(f"{name}/__init__.py" for name in PACKAGES),
        "sitecustomize.py",
        "usercustomize.py",
        "yaml.py",
        "httpx.py",
    )
    settings = {
        ".env": f"PREFECT_LOGGING_CONFIG_PATH={folder}/env.yml\nPREFECT_API_URL=http://127.0.0.1:9/api\n",
        "prefect.toml": f'[logging]\nconfig_path = "{folder}/toml.yml"\n[api]\nurl = "http://127.0.0.1:9/api"\n',
        "pyproject.toml": f'[tool.prefect.logging]\nconfig_path = "{folder}/project.yml"\n',
        "muniment.toml": '[embedder]\nname = "nobody"\n',
    }
    logs = {f"{name}.yml": LOGS % (folder / f"{name}.sprung") for name in ("env", "toml", "project")}
    write(folder, dict.fromkeys(names, TRAP) | settings | logs)


def test_a_worker_takes_nothing_from_where_it_is_started(
    muniment: Any, deployed: Api, repo: Path, tmp_path: Path, own_place: Path, words_only: None
) -> None:
    """Triggered by a pull, and run by a worker in a folder that is full of traps."""
    muniment("index", repo, "--engine", "direct")
    write(repo, {"gamma.md": "# gamma\n\nAbout gamma.\n"})
    commit_all(repo)
    lay_traps(tmp_path / "hostile")
    pulled = {
        "id": str(uuid.uuid4()),
        "occurred": datetime.now(UTC).isoformat(),
        "event": "muniment.repo.pulled",
        "resource": {"prefect.resource.id": "muniment.repo.ours"},
    }
    deployed.ask("POST", "events", [pulled])

    def triggered() -> Any:
        runs = deployed.find("flow_runs", sort="ID_DESC", limit=200)
        return next((run for run in runs if (run["created_by"] or {}).get("type") == "AUTOMATION"), None)

    flow_run = until(triggered)
    with worker(deployed, tmp_path / "hostile", "--once") as started:
        assert started.wait(180) == 0
    ended = deployed.run(flow_run)
    assert (ended["state_name"], ended["state"]["message"]) == ("Completed", "generation 2: 3 documents, 3 chunks")
    assert not list((tmp_path / "hostile").rglob("*.sprung"))
    published = read_current(own_place / "index")
    assert published
    assert published.embedder == "none"
