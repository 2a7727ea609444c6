"""The flows as Prefect runs them: the same result as without it, and what an operator sees of a run."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from muniment.store.reader import open_reader
from muniment.store.writer import write_lock
from schemas.columns import CHUNKS, TABLES
from tasks.embed import MAX_BATCHES, MIN_BATCH
from tests.conftest import commit_all, make_repo, write
from tests.flows.conftest import EMBEDDER, OVER, Api, until
from tests.muniment.embedders.servers import EmbeddingServer

KEY = "a-key-that-nobody-may-see"
PASSING = {"run", "engine", "started_at", "finished_at", "seconds"}


NIGHT = {
    "enumerate", "classify", "chunk", "withhold-secrets", "check-chunks", "upsert", "upsert-vectors", "check-claims",
    "reclaim", "check-drift", "evaluate-effectiveness", "measure", "ask-canaries", "validate", "write-quality-pages",
    "report",
}  # fmt: skip


@dataclass(frozen=True)
class Full:
    """A full index made at the command line by Prefect, found in its active profile."""

    repo: Path
    home: Path
    environ: dict[str, str]
    done: subprocess.CompletedProcess[str]
    flow_run: Any
    report: Any


@pytest.fixture(scope="module")
def full(prefect_server: Api, sample_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    """Run in a folder whose own files name another API, over more texts than batches are allowed."""
    place = tmp_path_factory.mktemp("full")
    repo = shutil.copytree(sample_source, place / "ops", symlinks=True)
    many = "".join(f"# Part {number}\n\nAbout number {number}.\n\n" for number in range(1400))
    write(repo, {"manual.md": many, "big.md": "x" * 600_000})
    commit_all(repo)
    write(
        place / "here",
        {"prefect.toml": '[api]\nurl = "http://127.0.0.1:9/api"\n', ".env": "PREFECT_API_URL=http://[\n"},
    )
    with EmbeddingServer("openai") as running:
        settings = EMBEDDER | {"URL": running.url, "API_KEY": KEY}
        environ = {f"MUNIMENT_EMBEDDER__{key}": value for key, value in settings.items()}
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("MUNIMENT_", "GIT_"))}
        done = subprocess.run(
            [sys.executable, "-m", "muniment", "index", str(repo), "--home", str(place / "home"), "--json"],
            cwd=place / "here",
            env=inherited | environ | {"XDG_CONFIG_HOME": str(place / "config")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        yield Full(repo, place / "home", environ, done, prefect_server.last_run(), json.loads(done.stdout))


def rows(home: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, without the times."""

    def values(columns: tuple[Any, ...]) -> list[str]:
        return [column.name for column in columns if column.type != "timestamp"]

    with open_reader(home / "index") as reader:
        tables = {name: reader.rows(name, values(TABLES[name])) for name in ("documents", "skipped", "claims")}
        tables["chunks"] = reader.chunks(values(CHUNKS))
    return {name: sorted(table.to_pylist(), key=repr) for name, table in tables.items()}


def lasting(report: dict[str, Any]) -> dict[str, Any]:
    """The report without what differs from run to run."""
    counts = {key: value for key, value in report["counts"].items() if key != "duration_ms"}
    return {key: value for key, value in report.items() if key not in PASSING} | {"counts": counts}


def test_both_engines_give_the_same_tables(
    full: Full, muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in full.environ.items():
        monkeypatch.setenv(key, value)
    direct = muniment("index", full.repo, "--home", tmp_path / "direct", "--engine", "direct", "--json").json
    by_prefect, directly = rows(full.home), rows(tmp_path / "direct")
    assert by_prefect == directly
    assert len(directly["chunks"]) > 1400
    assert all(row["vector"] for row in directly["chunks"])
    assert directly["skipped"]
    assert lasting(full.report) == lasting(direct)
    assert (full.report["engine"], direct["engine"]) == ("prefect", "direct")


def test_stdout_holds_the_report_alone(full: Full) -> None:
    assert full.report["run"] in full.done.stdout
    assert "Finished in state Completed" in full.done.stderr
    assert "Traceback" not in full.done.stderr


def test_each_step_and_batch_is_a_task(full: Full, prefect_server: Api) -> None:
    # With so many texts it takes all batches that there may be, whatever the exact number.
    assert full.report["embedded"] > MIN_BATCH * MAX_BATCHES
    batches = [f"embed-{number:04d}" for number in range(1, MAX_BATCHES + 1)]
    names = ["ask-dimension", "enumerate", "classify", "chunk", "withhold-secrets", "check-chunks", "upsert"]
    names += ["ask-known-text", *batches, "upsert-vectors", "check-claims", "reclaim"]
    assert len(names) <= 50
    assert [run["name"] for run in prefect_server.tasks(full.flow_run, len(names))] == names


def test_a_run_shows_its_numbers(full: Full, prefect_server: Api) -> None:
    shown = {
        artifact["key"]: artifact["data"]
        for artifact in prefect_server.find("artifacts/latest", flow_runs={"id": {"any_": [full.flow_run["id"]]}})
    }
    assert f"- vectors: {full.report['embedded']} embedded, 0 from cache, 0 pending" in shown["index-run"]
    source = full.report["sources"][0]
    assert [(row["source"], row["files"], row["chunks"]) for row in json.loads(shown["index-sources"])] == [
        ("`ops`", source["files"], source["chunks"])
    ]
    assert {row["stage"]: row["seconds"] for row in json.loads(shown["index-seconds"])} == full.report["seconds"]
    assert [row["path"] for row in json.loads(shown["index-skips"])] == ["`big.md`"]
    said = (
        f"generation {full.report['generation']}: {full.report['documents']} documents, {full.report['chunks']} chunks"
    )
    assert full.flow_run["state"]["message"] == said


def test_prefect_is_told_no_key(full: Full, prefect_server: Api) -> None:
    assert full.flow_run["parameters"] == {"paths": [str(full.repo)]}
    known = [prefect_server.find(what) for what in ("flow_runs", "logs", "artifacts", "events")]
    assert KEY not in json.dumps(known)
    assert all(known)
    assert not (prefect_server.home / "storage").exists()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {f"{name}.md": f"# {name}\n\nAbout {name}.\n" for name in ("alpha", "beta")})


@pytest.fixture
def known_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks the endpoint how wide its vectors are before the first batch."""
    monkeypatch.setenv("MUNIMENT_EMBEDDER__DIMENSION", "8")


def embed_run(api: Api, flow_run: Any) -> Any:
    only = {"id": {"any_": [flow_run["id"]]}}

    def booked() -> Any:
        found = api.find("task_runs", flow_runs=only, task_runs={"name": {"any_": ["embed-0001"]}})
        return next((run for run in found if run["state_type"] in OVER), None)

    return until(booked)


def test_a_passing_fault_is_tried_again(
    muniment: Any, prefect_server: Api, repo: Path, server: EmbeddingServer, known_width: None
) -> None:
    faults = [(503, "loading the model"), (503, "loading the model")]
    server.behaviour.refuse = lambda texts: faults.pop() if faults and "About" in texts[0] else None
    ran = muniment("index", repo, "--engine", "prefect", "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["embedded"], ran.json["pending"]) == (2, 0)
    embed = embed_run(prefect_server, prefect_server.last_run())
    assert (embed["state_name"], embed["run_count"]) == ("Completed", 3)


def test_a_lasting_fault_is_tried_once(
    muniment: Any, prefect_server: Api, repo: Path, server: EmbeddingServer, known_width: None
) -> None:
    broken: list[str] = []

    def lose_model(texts: list[str]) -> tuple[int, str] | None:
        broken.extend(text for text in texts if "About" in text)
        return (404, "model not found") if broken else None

    server.behaviour.refuse = lose_model
    ran = muniment("index", repo, "--engine", "prefect", "--json")
    assert ran.code == 3, ran.err
    assert (ran.json["embedded"], ran.json["pending"]) == (0, 2)
    flow_run = prefect_server.last_run()
    embed = embed_run(prefect_server, flow_run)
    assert (embed["state_name"], embed["run_count"]) == ("Failed", 1)
    assert (flow_run["state_name"], flow_run["state_type"]) == ("Partly", "COMPLETED")
    assert "2 of 2 chunks wait for their vectors: batch 1 of 1: " in flow_run["state"]["message"]
    assert "no such model" in flow_run["state"]["message"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "error: no Prefect API answers at 'http://127.0.0.1:9/api'"),
        ("/nowhere", "refused: 404 Not Found"),
    ],
)
def test_an_unusable_api_is_said_in_two_lines(
    muniment: Any, prefect_server: Api, repo: Path, words_only: None, path: str, said: str
) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    url = prefect_server.url + path if path else "http://somebody:secret@127.0.0.1:9/api"
    with temporary_settings({PREFECT_API_URL: url}):
        ran = muniment("index", repo, "--engine", "prefect")
    assert (ran.code, ran.out) == (13, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 2


def test_a_deployed_run_without_news_changes_nothing(prefect_server: Api, repo: Path, words_only: None) -> None:
    from flows.deployments import index

    done = [index(paths=(str(repo),), return_state=True) for _ in range(2)]
    assert [state.name for state in done] == ["Completed", "Unchanged"]
    assert done[1].is_completed()
    assert done[1].message == "nothing new since generation 1"


def test_a_named_error_is_the_state_of_the_run(prefect_server: Api, tmp_path: Path, words_only: None) -> None:
    from flows.deployments import index

    state = index(paths=(str(tmp_path / "gone"),), return_state=True)
    assert state.is_failed()
    assert state.message == f"'{tmp_path / 'gone'}' does not exist\nhint: check the path"
    logged = prefect_server.find("logs", logs={"flow_run_id": {"any_": [str(state.state_details.flow_run_id)]}})
    assert not [line for line in logged if "Traceback" in line["message"]]


def test_a_busy_index_is_waited_for(prefect_server: Api, repo: Path, own_place: Path, words_only: None) -> None:
    from flows.deployments import index, rebuild

    index(paths=(str(repo),))
    holding = contextlib.ExitStack()
    holding.enter_context(write_lock(own_place / "index"))
    assert "another run is writing the index" in str(rebuild(patience_s=0, return_state=True).message)
    watching = LetGo(holding)
    logging.getLogger("prefect.flow_runs").addHandler(watching)
    assert rebuild(return_state=True).message == "generation 2: 2 documents, 2 chunks"
    logging.getLogger("prefect.flow_runs").removeHandler(watching)


def test_a_night_is_a_flow_of_separate_tasks(
    muniment: Any, prefect_server: Api, tmp_path: Path, words_only: None
) -> None:
    """Each once, also where something was asked and its use is counted."""
    from flows.deployments import index, nightly

    page = "# Port\n\n- `HTTP_PORT` (default: `80`): where it listens\n"
    repo = make_repo(tmp_path / "repo", {"docs/a.md": page, "conf/a.conf.template": "# Port.\nHTTP_PORT=81\n"})
    index(paths=(str(repo),))
    muniment("search", "port")
    state = nightly(return_state=True)
    assert state.message is not None
    assert state.message.startswith("1 open: 0 new, 1 still open, 0 fixed; data ")
    flow_run = prefect_server.last_run()
    assert {run["name"] for run in prefect_server.tasks(flow_run, len(NIGHT))} == NIGHT
    shown = {
        artifact["key"]: artifact["data"]
        for artifact in prefect_server.find("artifacts/latest", flow_runs={"id": {"any_": [flow_run["id"]]}})
    }
    assert f"**{state.message}**" in shown["nightly"]
    drift = json.loads(shown["nightly-drift"])
    assert [(row["place"], row["check"]) for row in drift] == [("`docs/a.md:3`", "default")]
    assert {key for key in shown if key.startswith("nightly-")} == {
        f"nightly-{name}" for name in ("drift", "effectiveness", "quality", "seconds")
    }


class LetGo(logging.Handler):
    """Lets go of what is held when the run says that it waits."""

    def __init__(self, holding: contextlib.ExitStack) -> None:
        super().__init__()
        self._holding = holding

    def emit(self, record: logging.LogRecord) -> None:
        if "looking again" in record.getMessage():
            self._holding.close()
