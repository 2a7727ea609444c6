"""`muniment hook run`: what a pull comes to, from a real `git pull` to an event or a new generation."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from muniment.generation import read_current
from muniment.hook_log import MAX_BYTES
from muniment.store.writer import write_lock
from tests.conftest import ROOT, Ran, commit_all, git, make_repo, write
from tests.flows.conftest import until

Muniment = Callable[..., Ran]
RUN = [sys.executable, "-P", "-m", "muniment", "hook", "run"]


@pytest.fixture
def repo(tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch, muniment: Muniment) -> Path:
    """A clone that is indexed, by words alone, as a settings file says."""
    settings = tmp_path / "muniment.toml"
    settings.write_text('[embedder]\nname = "none"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(settings))
    origin = make_repo(tmp_path / "origin", {"heron.md": "# Heron\n\nThe heron waits.\n"})
    git(tmp_path, "clone", "-q", str(origin), "repo")
    muniment("index", tmp_path / "repo")
    return tmp_path / "repo"


@dataclass
class Prefect:
    """The far side of a socket: what was asked of it, and what it says."""

    url: str
    status: int = 204
    deployed: bool = True
    seen: list[tuple[str, str, Any]] = field(default_factory=list)
    """Method and path, credentials, body."""


@pytest.fixture
def prefect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Prefect]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            told.seen.append((f"{self.command} {self.path}", self.headers.get("Authorization", ""), body))
            status = told.status if told.deployed or self.command == "POST" else 404
            self.send_response(200 if self.command == "GET" and status == 204 else status)
            self.send_header("Content-Length", "0")
            self.send_header("Location", f"{told.url}/elsewhere")
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told = Prefect(f"http://127.0.0.1:{server.server_port}/api")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("PREFECT_API_URL", told.url)
        yield told
        server.shutdown()
        thread.join()


def log(home: Path) -> list[str]:
    path = home / "log" / "hook.log"
    return path.read_text().splitlines() if path.exists() else []


def alive(home: Path) -> list[int]:
    """Processes in the background that have not ended."""
    started = [int(line.rpartition("process ")[2]) for line in log(home) if "in the background" in line]
    return [number for number in started if Path(f"/proc/{number}").exists()]


def indexed(home: Path) -> str:
    """The line of the log that says what a run in the background came to."""
    return until(lambda: next((line for line in log(home) if ": indexed" in line or ": not" in line), None))


def test_prefect_is_told_of_a_pull(muniment: Muniment, repo: Path, prefect: Prefect, own_place: Path) -> None:
    ran = muniment("hook", "run", repo)
    assert (ran.code, ran.out) == (0, f"told Prefect at {prefect.url}\n")
    asked, told = prefect.seen
    assert asked[0] == "GET /api/deployments/name/index/post-pull"
    assert told[0] == "POST /api/events"
    (event,) = json.loads(told[2])
    assert event["payload"] == {"commit": git(repo, "rev-parse", "HEAD").strip()}
    assert log(own_place)[-1].endswith(f" {repo}: told Prefect at {prefect.url}")
    # What is sent is what the deployment of our own waits for.
    deployment = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"][0]
    trigger = deployment["triggers"][0]
    assert asked[0].endswith(f"index/{deployment['name']}")
    assert trigger["expect"] == [event["event"]]
    assert event["resource"]["prefect.resource.id"] == "muniment.repo.repo"
    assert trigger["match"] == {"prefect.resource.id": "muniment.repo.*"}


def test_the_password_is_sent_and_never_shown(
    muniment: Muniment, repo: Path, prefect: Prefect, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "somebody:secret-word")
    muniment("hook", "run", repo)
    assert {credentials for _, credentials, _ in prefect.seen} == {"Basic c29tZWJvZHk6c2VjcmV0LXdvcmQ="}
    prefect.status = 401
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "event")
    ran = muniment("hook", "run", repo)
    assert (ran.code, "does not let us in (HTTP 401)" in ran.err) == (13, True)
    shown = ran.err + "\n".join(log(own_place)) + muniment("hook", "status", repo).out
    assert "secret-word" not in shown


def test_a_package_of_our_name_that_is_pulled_is_not_run(
    muniment: Muniment, repo: Path, prefect: Prefect, own_place: Path, tmp_path: Path
) -> None:
    """Git starts hooks in the folder that it has just written."""
    muniment("hook", "install", repo)
    trap = f"import pathlib; pathlib.Path('{tmp_path}/SPRUNG').touch(); raise SystemExit('sprung')"
    names = ("muniment", "tasks", "flows", "schemas", "encodings", "site")
    write(tmp_path / "origin", {f"{name}/__init__.py": trap for name in names} | {"muniment/__main__.py": trap})
    commit_all(tmp_path / "origin")
    git(repo, "pull", "-q")
    until(lambda: log(own_place) or None)
    assert log(own_place)[-1].endswith(f"told Prefect at {prefect.url}")
    assert not (tmp_path / "SPRUNG").exists()


def test_an_event_is_sent_on_to_nobody(
    muniment: Muniment, repo: Path, prefect: Prefect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "event")
    prefect.status = 307
    assert muniment("hook", "run", repo).code == 13
    assert [what for what, _, _ in prefect.seen] == ["POST /api/events"]


@pytest.mark.slow
def test_without_its_deployment_prefect_is_not_relied_on(
    muniment: Muniment, repo: Path, prefect: Prefect, own_place: Path
) -> None:
    prefect.deployed = False
    ran = muniment("hook", "run", repo)
    assert "indexing in the background" in ran.out
    assert f"Prefect at {prefect.url} has no deployment index/post-pull" in ran.out
    assert [what for what, _, _ in prefect.seen] == ["GET /api/deployments/name/index/post-pull"]
    until(lambda: next((line for line in log(own_place) if line.endswith(": nothing new")), None))


@pytest.mark.parametrize(("gate", "code"), [("off", 0), ("event", 2)])
def test_the_gate_is_obeyed(
    muniment: Muniment, repo: Path, own_place: Path, gate: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", gate)
    ran = muniment("hook", "run", repo)
    assert ran.code == code
    assert len(log(own_place)) == 1
    assert "index.on_pull is" in ran.out + ran.err
    assert json.loads(muniment("hook", "status", repo, "--json").out)["on_pull"] == gate


def test_a_repository_that_is_no_source_is_left_alone(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other", {"a.md": "# A\n"})
    assert f"nothing done: no source lies in '{other}'" in muniment("hook", "run", other).out
    assert muniment("hook", "run", other, "--wait").code == 0
    assert "other" not in muniment("status").out


def test_each_source_is_read_as_it_was(muniment: Muniment, repo: Path, own_place: Path, tmp_path: Path) -> None:
    """Working copies stay working copies, two folders of one repository are both read, others are not."""
    other = make_repo(tmp_path / "other", {"a.md": "# A\n\nText.\n"})
    write(repo, {"docs/b.md": "# B\n\nText.\n"})
    commit_all(repo)
    muniment("index", other)
    muniment("index", repo / "docs", "--worktree")
    for place in (repo, other):
        write(place, {"docs/c.md": "# C\n\nText.\n"})
        commit_all(place)
    nice = os.nice(0)
    done = subprocess.run([*RUN, "--wait"], cwd=repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "indexed, generation 4: 6 documents, 6 chunks\n"
    published = read_current(own_place / "index")
    assert published is not None
    held = {name: (state.documents, state.worktree) for name, state in published.sources.items()}
    assert held == {"repo": (3, False), "docs": (2, True), "other": (1, False)}
    assert os.nice(0) == nice


def test_what_goes_wrong_is_in_the_log(
    muniment: Muniment, repo: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A hook throws away what is printed."""
    broken = tmp_path / "broken.toml"
    broken.write_text("[index\n")
    assert muniment("hook", "run", repo, "--home", own_place, "--config", broken).code == 2
    assert f"{repo}: not done: settings file '{broken}' is not TOML" in log(own_place)[-1]
    (own_place / "index" / "current.json").write_text("{torn")
    assert muniment("hook", "run", repo).code == 12
    assert f"{repo}: not done: " in log(own_place)[-1]


def test_the_log_is_kept_short(
    muniment: Muniment, repo: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "off")
    write(own_place, {"log/hook.log": "x" * (MAX_BYTES + 1)})
    muniment("hook", "run", repo)
    assert len(log(own_place)) == 1
    assert (own_place / "log" / "hook.log.1").stat().st_size == MAX_BYTES + 1


def test_a_log_that_cannot_be_written_ends_nothing(
    muniment: Muniment, repo: Path, own_place: Path, prefect: Prefect
) -> None:
    (own_place / "log").write_text("a file in the place of the folder")
    assert muniment("hook", "run", repo).code == 0
    assert [what for what, _, _ in prefect.seen][-1] == "POST /api/events"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be in the way of others")
def test_root_writes_nothing_into_the_home_of_another(muniment: Muniment, repo: Path, own_place: Path) -> None:
    os.chown(own_place, 1234, 1234)
    ran = muniment("hook", "run", repo)
    assert (ran.code, "is another user's" in ran.err) == (4, True)
    assert not log(own_place)


PULLS = {"fast-forward": (), "merge": ("--no-rebase",), "rebase": ("--rebase",)}


@pytest.mark.slow
@pytest.mark.parametrize("way", PULLS)
def test_every_way_to_pull_is_indexed(
    muniment: Muniment, repo: Path, own_place: Path, tmp_path: Path, way: str
) -> None:
    muniment("hook", "install", repo)
    for setting in ("user.name=t", "user.email=t@example.com"):
        git(repo, "config", *setting.split("="))
    if way != "fast-forward":
        write(repo, {"own.md": "# Owl\n\nThe owl hoots.\n"})
        commit_all(repo)
    write(tmp_path / "origin", {"kestrel.md": "# Kestrel\n\nThe kestrel hovers.\n"})
    commit_all(tmp_path / "origin")
    done = subprocess.run(["git", "pull", "-q", *PULLS[way]], cwd=repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ": indexed, generation 2: " in indexed(own_place)
    assert muniment("search", "hovers", "--json").json["hits"][0]["path"] == "kestrel.md"


@pytest.mark.slow
def test_a_linked_work_tree_is_indexed_by_its_own_pulls(
    muniment: Muniment, repo: Path, own_place: Path, tmp_path: Path
) -> None:
    """Git sets GIT_DIR for the hooks of such a tree."""
    git(repo, "worktree", "add", "-q", str(tmp_path / "second"), "-b", "second", "origin/main")
    muniment("index", tmp_path / "second")
    muniment("hook", "install", repo)
    write(tmp_path / "origin", {"kestrel.md": "# Kestrel\n\nThe kestrel hovers.\n"})
    commit_all(tmp_path / "origin")
    git(tmp_path / "second", "pull", "-q", "origin", "main")
    assert f"{tmp_path / 'second'}: indexed, generation 3" in indexed(own_place)


@pytest.mark.slow
def test_many_pulls_during_a_run_are_one_run_after_it(
    muniment: Muniment, repo: Path, own_place: Path, tmp_path: Path
) -> None:
    muniment("hook", "install", repo)
    with write_lock(own_place / "index"):
        for number in range(3):
            write(tmp_path / "origin", {f"{number}.md": f"# Kestrel\n\nThe kestrel of {number}.\n"})
            commit_all(tmp_path / "origin")
            assert not git(repo, "pull", "-q")
        until(lambda: sum("another pull waits already" in line for line in log(own_place)) == 2 or None)
        until(lambda: len(alive(own_place)) == 1 or None)
        (waiting,) = alive(own_place)
        assert os.getsid(waiting) == waiting
        # Git sets at least GIT_REFLOG_ACTION for the hooks of a pull.
        assert b"GIT_" not in Path(f"/proc/{waiting}/environ").read_bytes()
        (turn,) = (own_place / "log").glob(".hook-*.lock")
        with turn.open() as handle, pytest.raises(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert indexed(own_place).endswith("indexed, generation 2: 4 documents, 4 chunks")
