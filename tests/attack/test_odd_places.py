"""Repositories and homes at places with odd names: every command works, or says in one inert line why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attack.alive import forged, live, strings
from tests.attack.hostile_world import FORGED
from tests.conftest import Ran, commit_all, git
from tests.muniment.http.doors import opened
from tests.muniment.mcp.agents import over_stdio, text_of

pytestmark = pytest.mark.usefixtures("words_only")
Muniment = Callable[..., Ran]

PLACES = {
    "not UTF-8": b"caf\xe9 \xff",
    "blanks": b"  two  blanks ",
    "quotes": b'it\'s "so" `now` $(x)',
    "line break": f"a\n{FORGED}\nb".encode(),
    "escape": b"e\x1b[31m\x1b]0;t\x07\x7f",
    "right to left": "r\u202eabc\u2066d\u200b\u0085\u2028".encode(),
}
NAMES = (*PLACES.values(), b"plain", b"-dash", b"tab\there")
PAGE = (
    "# Kestrel {0}\n\nThe kestrel job copies file {0}.\n\n- `HTTP_PORT` (default: `80`): where\n\n[gone](gone{0}.md)\n"
)
COMMANDS: dict[tuple[str, ...], int] = {
    ("index",): 0,
    ("index", "--force"): 0,
    ("index", "--dry-run"): 0,
    ("index", "--worktree"): 0,
    ("status",): 0,
    ("search", "kestrel copies"): 0,
    ("ask", "What does the kestrel job copy?"): 0,
    ("drift", "."): 0,
    ("drift", ".", "--all", "--format", "json"): 0,
    ("drift", ".", "--all", "--format", "sarif"): 0,
    ("drift", ".", "--all", "--format", "markdown"): 0,
    ("drift", ".", "--all", "--format", "github"): 0,
    ("verify", "--deep"): 0,
    ("repair",): 0,
    ("gc",): 0,
    ("doctor",): 0,
    ("hook", "install", "."): 0,
    ("hook", "status", "."): 0,
    ("hook", "uninstall", "."): 0,
}
SLOW: dict[tuple[str, ...], int] = {("quality", "--docs"): 1, ("nightly",): 0}
"""The documents disagree with the template, which `quality` says with its exit code."""
AS_JSON = {"index", "status", "search", "ask", "verify", "repair", "gc", "doctor", "quality", "nightly"}
"""Of `drift` it is a format, above."""


@pytest.fixture(params=PLACES)
def repo(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository at such a place, with such names inside; it is the working folder."""
    folder = tmp_path / os.fsdecode(PLACES[request.param])
    folder.mkdir()
    for number, name in enumerate(NAMES):
        (folder / os.fsdecode(name + b".md")).write_text(PAGE.format(number))
    (folder / "kestrel.conf.template").write_text("# Where.\nHTTP_PORT=81\n")
    git(folder, "init", "-q")
    commit_all(folder)
    monkeypatch.chdir(folder)
    return folder


def check(ran: Ran, code: int, words: tuple[str, ...]) -> None:
    assert ran.code == code, (words, ran.out[-500:], ran.err)
    assert live(ran.out + ran.err) == set(), words
    assert forged(ran.out + ran.err) == [], words


@pytest.mark.parametrize("more", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["light", "heavy"])
def test_every_command_works_there(muniment: Muniment, repo: Path, more: bool) -> None:
    check(muniment("index", "."), 0, ("index", "."))
    for words, code in (SLOW if more else COMMANDS).items():
        check(muniment(*words), code, words)
        if words[0] in AS_JSON:
            ran = muniment(*words, "--json")
            check(ran, code, words)
            assert isinstance(ran.json, (dict, list))


@pytest.mark.slow
def test_the_doors_tell_of_it(muniment: Muniment, repo: Path, own_place: Path) -> None:
    assert muniment("index", ".").code == 0
    with opened(own_place) as door:
        for path in ("/api/index/status", "/api/documents", "/api/search?q=kestrel", "/metrics"):
            answer = door.get(path)
            assert (answer.status_code, live(answer.text)) == (200, set()), path
        started = door.post("/api/index/scan", {"force": True})
        door.serving.runs.wait()
        assert door.get(f"/api/index/runs/{started.json()['run']}").json()["state"] == "done"
    with over_stdio(own_place) as agent:
        told = agent.call("status")
        assert not told.is_error
        assert live("".join([text_of(told), *strings(told.structured_content)])) == set()


@pytest.mark.parametrize("place", PLACES)
def test_a_home_there_works_or_is_refused(
    muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """What LanceDB can name no folder of is said before anything is written."""
    home = tmp_path / os.fsdecode(PLACES[place])
    monkeypatch.setenv("MUNIMENT_HOME", str(home))
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.md").write_text("# Kestrel\n\nThe kestrel waits.\n")
    git(repo, "init", "-q")
    commit_all(repo)
    refused = place in ("not UTF-8", "line break", "escape")
    ran = muniment("index", repo)
    check(ran, 4 if refused else 0, ("index",))
    doctor = muniment("doctor")
    check(doctor, 1 if refused else 0, ("doctor",))
    if refused:
        assert not home.exists()
        for said in (ran.err, doctor.out):
            assert "no index can lie in" in said
            assert "hint: choose another folder with --home" in said
    else:
        check(muniment("search", "kestrel"), 0, ("search",))
        check(muniment("verify", "--deep"), 0, ("verify",))
