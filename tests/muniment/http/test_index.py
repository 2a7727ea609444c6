"""/api/index: scans, runs and what is indexed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from muniment.store.writer import write_lock
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.embedders.servers import EmbeddingServer
from tests.muniment.http.doors import FILES, Door, index_repo, opened


@pytest.fixture
def own(own_place: Path, tmp_path: Path) -> Iterator[tuple[Door, Path]]:
    """A door, and the repository behind it."""
    repo = make_repo(tmp_path / "own", FILES)
    index_repo(own_place, repo)
    with opened(own_place) as door:
        yield door, repo


def scan(door: Door, **body: object) -> dict[str, object]:
    """A scan and its run, once it has ended."""
    answer = door.post("/api/index/scan", body)
    assert answer.status_code == 202
    door.serving.runs.wait()
    found: dict[str, object] = door.get(f"/api/index/runs/{answer.json()['run']}").json()
    return found


def test_a_scan_brings_in_what_is_new(own: tuple[Door, Path]) -> None:
    door, repo = own
    scan(door)  # the server's settings are not those that it was indexed with
    before = door.get("/api/index/status").json()["number"]
    write(repo, {"docs/robin.md": "# Robin\n\nThe robin guards the hedge.\n"})
    commit_all(repo)
    run = scan(door)
    assert (run["state"], run["error"]) == ("done", "")
    assert run["report"]["sources"][0]["indexed"] == 1  # type: ignore[index]
    assert run["counts"]["indexed"] == 1  # type: ignore[index]
    status = door.get("/api/index/status").json()
    assert (status["number"], status["run"], status["running"]) == (before + 1, run["run"], "")
    (hit,) = door.get("/api/search", params={"q": "robin hedge"}).json()["hits"]
    assert hit["path"] == "docs/robin.md"


def test_nothing_new_is_said_at_once(own: tuple[Door, Path]) -> None:
    door, _ = own
    first = scan(door)
    answer = door.post("/api/index/scan").json()
    assert (answer["state"], answer["run"]) == ("unchanged", first["run"])
    assert scan(door, force=True)["run"] != first["run"]


def test_a_run_of_another_process_is_known(door: Door) -> None:
    run = door.get("/api/index/status").json()["run"]
    found = door.get(f"/api/index/runs/{run}").json()
    assert (found["state"], found["report"]["run"]) == ("done", run)


def test_a_scan_while_this_process_writes_is_refused(door: Door, home: Path) -> None:
    with write_lock(home / "index"):
        answer = door.post("/api/index/scan", {"force": True})
    assert (answer.status_code, answer.json()["detail"]) == (409, "another run is writing the index")
    assert answer.json()["transient"]
    assert answer.headers["retry-after"]
    assert scan(door, force=True)["state"] == "done"


def test_one_run_at_a_time(own_place: Path, repo: Path) -> None:
    begun, go_on = Event(), Event()

    def held_back(_texts: list[str], vectors: list[object]) -> list[object]:
        begun.set()
        go_on.wait(60)
        return vectors

    with EmbeddingServer("ollama") as embedding:
        embedding.behaviour.spoil = held_back
        embedder = {"name": "ollama", "model": "tiny", "url": embedding.url, "dimension": 8}
        with opened(own_place, sources=[{"name": "birds", "path": str(repo)}], embedder=embedder) as door:
            run = door.post("/api/index/scan").json()["run"]
            assert begun.wait(60)
            for path in ("/api/index/scan", "/api/vault-index/scan", "/api/effectiveness/eval"):
                assert door.post(path).status_code == 409
            assert run in door.post("/api/index/scan").json()["hint"]
            assert door.get(f"/api/index/runs/{run}").json()["state"] == "running"
            go_on.set()
            door.serving.runs.wait()
            assert door.get(f"/api/index/runs/{run}").json()["state"] == "done"
            assert door.get("/api/index/status").json()["run"] == run


@contextmanager
def _writing(index: Path) -> Iterator[None]:
    """Another process that holds the writer's lock."""
    code = "import sys, pathlib; from muniment.store.writer import write_lock\n"
    code += "with write_lock(pathlib.Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(index)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield
        process.communicate("")


def test_a_scan_while_another_process_writes_is_refused(door: Door, home: Path) -> None:
    with _writing(home / "index"):
        assert door.post("/api/index/scan", {"force": True}).status_code == 409
        assert door.post("/api/effectiveness/eval").status_code == 409
        assert door.get("/api/search", params={"q": "heron"}).json()["hits"]


def test_a_source_that_shrank_fails_the_run_and_nothing_else(own: tuple[Door, Path]) -> None:
    door, repo = own
    scan(door)
    shutil.rmtree(repo / "docs")
    shutil.rmtree(repo / "scripts")
    commit_all(repo)
    run = scan(door)
    assert (run["state"], run["report"]) == ("failed", None)
    assert '{"allow_shrink": true}' in str(run["hint"])
    assert door.get("/api/search", params={"q": "heron"}).json()["hits"]
    assert scan(door, allow_shrink=True)["state"] == "done"


def test_a_source_that_is_gone_is_said(own: tuple[Door, Path]) -> None:
    door, repo = own
    shutil.rmtree(repo)
    answer = door.post("/api/index/scan")
    if answer.status_code == 202:  # it had begun
        door.serving.runs.wait()
        run = door.get(f"/api/index/runs/{answer.json()['run']}").json()
        assert (run["state"], bool(run["error"])) == ("failed", True)
    else:
        assert (answer.status_code, answer.json()["error"]) == (422, "SourceUnreadable")


def test_without_sources_there_is_nothing_to_scan(own_place: Path) -> None:
    with opened(own_place) as door:
        answer = door.post("/api/index/scan")
    assert (answer.status_code, "nothing to index" in answer.json()["detail"]) == (400, True)


def test_a_first_index_is_made_from_the_settings(own_place: Path, repo: Path) -> None:
    with opened(own_place, sources=[{"name": "birds", "path": str(repo)}]) as door:
        assert door.get("/readyz").status_code == 503
        assert scan(door)["state"] == "done"
        assert door.get("/readyz").status_code == 200


def test_status_is_the_command_lines(door: Door, muniment: Callable[..., Ran]) -> None:
    shown = muniment("status", "--json").json
    status = door.get("/api/index/status").json()
    for name in ("number", "published_at", "fingerprint", "pending", "run", "kept"):
        assert status[name] == shown[name], name
    assert status["sources"]["birds"]["documents"] == 5
    assert status["age_s"] >= 0


def test_a_stopped_server_ends_its_run_before_the_next_step(home: Path) -> None:
    with opened(home) as door:
        door.serving.runs.stop()
        run = door.post("/api/index/scan", {"force": True}).json()["run"]
    # Stopped with the server, or done before.
    assert door.serving.runs.find(run)
    assert door.serving.runs.under_way == ""
