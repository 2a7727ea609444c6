"""Nothing that a document, a name or a setting says comes alive where it is shown, whichever door shows it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flows.artifacts import as_markdown, as_tables
from muniment.inert import inert
from schemas.runs import RunReport, SourceRun
from tests.attack.alive import alive_in_markdown, alive_in_page, forged, linked, live, strings
from tests.attack.hostile_world import FORGED, NASTY, SOURCE, settings_of
from tests.conftest import Ran
from tests.muniment.http.doors import opened
from tests.muniment.mcp.agents import over_stdio, text_of


@pytest.fixture(scope="module")
def _world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Settings, and a home that was indexed by them."""
    from muniment.cli import main

    place = tmp_path_factory.mktemp("world")
    settings = settings_of(place)
    assert main(["index", "--config", str(settings), "--home", str(place / "home")]) == 0
    return settings, place / "home"


@pytest.fixture
def world(_world: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own that holds the index; its settings are in force."""
    settings, home = _world
    monkeypatch.setenv("MUNIMENT_CONFIG", str(settings))
    monkeypatch.setenv("MUNIMENT_HOME", str(tmp_path / "home"))
    return Path(shutil.copytree(home, tmp_path / "home"))


def check(ran: Ran) -> None:
    assert ran.code in (0, 1, 2, 3, 4, 10, 14), ran.err
    assert live(ran.out + ran.err) == set()


COMMANDS: dict[str, tuple[str, ...]] = {
    "index": ("index", "--force"),
    "index --dry-run": ("index", "--dry-run"),
    "index, unchanged": ("index",),
    "status": ("status",),
    "search": ("search", "kestrel heron water works invoice", "--limit", "50", "--explain"),
    "ask": ("ask", "What does the kestrel job copy?"),
    "ask, no answer": ("ask", "How many wheels has the bicycle of the mayor?"),
    "ask, a total": ("ask", "total water works in November 2025", "--today", "2026-01-15"),
    "effectiveness": ("effectiveness",),
    "doctor": ("doctor",),
    "config": ("config",),
    "verify": ("verify",),
    "quality": ("quality",),
}
AS_JSON = ("index", "index --dry-run", "status", "search", "ask", "ask, a total", "effectiveness", "doctor", "verify")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_gets_nothing_alive(name: str, world: Path, muniment: Any) -> None:
    if name == "effectiveness":
        muniment(*COMMANDS["search"])
    ran = muniment(*COMMANDS[name])
    check(ran)
    assert forged(ran.out + ran.err) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", AS_JSON)
def test_json_on_a_terminal_is_no_more_alive(name: str, world: Path, muniment: Any) -> None:
    ran = muniment(*COMMANDS[name], "--json")
    check(ran)
    assert isinstance(ran.json, (dict, list))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "sarif", "markdown", "github"])
def test_no_report_of_drift_is_alive(form: str, world: Path, muniment: Any) -> None:
    ran = muniment("drift", repo_of(world), "--all", "--format", form)
    check(ran)
    assert "HTTP_PORT" in ran.out
    assert forged(ran.out + ran.err) == []
    if form == "markdown":
        assert alive_in_markdown(ran.out) == []
    if form == "sarif":
        assert linked(json.loads(ran.out)) <= {"1"}


def repo_of(world: Path) -> Path:
    return Path(os.environ["MUNIMENT_CONFIG"]).parent / "repo"


@pytest.mark.slow
def test_no_page_of_a_night_is_alive(world: Path, muniment: Any) -> None:
    ran = muniment("nightly")
    check(ran)
    assert forged(ran.out + ran.err) == []
    reports = {
        path: path.read_text(encoding="utf-8") for path in (world / "reports").rglob("*") if path.suffix in TEXTS
    }
    assert {path.suffix for path in reports} == TEXTS
    for path, text in reports.items():
        assert live(text) == set(), path
        if path.suffix == ".html":
            assert alive_in_page(text) == [], path
        if path.suffix == ".md":
            assert alive_in_markdown(text) == [], path


@pytest.mark.slow
def test_no_json_that_is_written_is_alive(world: Path, muniment: Any, tmp_path: Path) -> None:
    """Whoever prints a file on a terminal reads it, and nothing more; programs read what it says."""
    muniment("index", "--force")
    muniment("search", "kestrel heron water works invoice")
    muniment("nightly")
    muniment("token", "create", "laptop")
    baseline = tmp_path / "baseline.json"
    muniment("drift", repo_of(world), "--all", "--write-baseline", baseline)
    written = [path for path in world.rglob("*") if path.suffix in (".json", ".jsonl", ".files")]
    names = {"current.json", "run.json", "nightly.json", "drift-history.json", "tokens.json"}
    assert names <= {path.name for path in written}
    for path in (baseline, *written):
        assert live(path.read_bytes().decode("utf-8")) == set(), path
    assert "\x7f" in "".join(strings(json.loads((world / "reports" / "nightly.json").read_text())))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "sarif"])
def test_no_report_in_a_file_is_alive(form: str, world: Path) -> None:
    """One that goes into a pipe or a file goes byte for byte."""
    words = [sys.executable, "-m", "muniment", "drift", str(repo_of(world)), "--all", "--format", form]
    done = subprocess.run(words, capture_output=True, check=False)
    assert live(done.stdout.decode("utf-8")) == set()
    assert "HTTP_PORT" in done.stdout.decode("utf-8")


TEXTS = {".html", ".md", ".json"}
ADDRESSES = (
    "/api/search?q=kestrel+heron+water+works&limit=50",
    "/api/documents",
    "/api/drift",
    "/api/index/status",
    "/api/effectiveness",
    "/api/search?q=kestrel&type=%1b%5b31m%e2%80%ae",
    "/api/search?q=kestrel&source=%c2%9b31m",
    "/api/documents/%1b%5b31m%e2%80%ae%3Cscript%3E",
)


@pytest.mark.slow
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_answer_over_http_is_alive(address: str, world: Path) -> None:
    """Somebody may read it with curl; a browser is told that it is no page."""
    with opened(world) as door:
        answer = door.get(address)
    assert "json" in answer.headers["content-type"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert live(answer.text) == set()


@pytest.mark.slow
def test_no_answer_to_an_agent_is_alive(world: Path, muniment: Any) -> None:
    """Neither what its client shows nor what its model reads."""
    assert muniment("nightly").code == 0  # what the tool `drift` tells of
    with over_stdio(world) as agent:
        hits = agent.call("search", question="kestrel heron water works invoice", limit=50)
        (first, *_) = hits.structured_content["hits"]
        told = [
            hits,
            agent.call("read", chunk_id=first["chunk_id"], before=10, after=10),
            agent.call("ask", question="What does the kestrel job copy?"),
            agent.call("assemble_context", question="kestrel heron water works"),
            agent.call("drift"),
            agent.call("status"),
            agent.call("search", question="x", source=[NASTY]),
            agent.call("ask", question="x", today="2026-01-01", as_of=99),
        ]
    for result in told:
        texts = [text_of(result, place) for place in range(len(result.content))]
        assert live("".join([*texts, *strings(result.structured_content)])) == set()
    assert "FORGED" in text_of(hits)


def test_no_artifact_of_prefect_is_alive() -> None:
    report = RunReport(
        "run", "prefect", "2026-01-01", embedder="none", fingerprint=NASTY, pending=1, pending_reason=NASTY
    )
    report.sources = [SourceRun(SOURCE, NASTY, skipped={"secret": 1})]
    report.skips = [{"source": SOURCE, "path": NASTY, "reason": NASTY, "detail": NASTY}]
    cells = [str(cell) for table in as_tables(report).values() for row in table.rows for cell in row.values()]
    for text in (as_markdown(report), *cells):
        assert live(text) == set()
        assert alive_in_markdown(text) == []


WRONG = {
    "a repository that is not there": ("index", f"/nowhere/{SOURCE}"),
    "a source that is not there": ("search", "x", "--source", NASTY),
    "a type that is not there": ("search", "x", "--type", NASTY),
    "a path that matches nothing": ("search", "x", "--path", NASTY),
    "an option that is none": ("search", "x", f"--{SOURCE}"),
    "a command that is none": (SOURCE,),
    "a kind that is none": ("search", "x", "--kind", NASTY),
    "a day that is none": ("ask", "x", "--today", NASTY),
    "a check that is none": ("drift", ".", "--checks", NASTY),
    "a file that is not there": ("drift", ".", "--baseline", f"/nowhere/{SOURCE}"),
    "settings that are not there": ("status", "--config", f"/nowhere/{SOURCE}"),
    "a home that is not there": ("status", "--home", f"/nowhere/{SOURCE}"),
    "an assembly that is none": ("feedback", NASTY, "--used", NASTY),
    "names that a hook hands over": ("drift", ".", "--", NASTY),
}


@pytest.mark.parametrize("name", WRONG)
def test_no_error_is_alive(name: str, muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = muniment(*WRONG[name])
    assert ran.code in (2, 10, 14), ran.err
    assert live(ran.out + ran.err) == set()


@pytest.mark.parametrize(
    "text",
    [
        'home = "x\\u001b[31m\\u202e"\n"odd\\u001b\\u202e" = 1\n',
        '[index]\nsecrets = "\\u001b[31m\\u202e\\u009b"\n',
        '[[sources]]\nname = "\\u009b\\u202e"\npath = "\\u001b[31m\\u202e"\nkind = "git"\n',
        '[drift]\nchecks = ["\\u001b[31m\\u202e"]\n',
        "[index\u202e\n",
    ],
)
def test_no_error_in_the_settings_is_alive(
    text: str, muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "wrong.toml"))
    for command in (("index",), ("status",), ("config",), ("doctor",)):
        ran = muniment(*command)
        assert live(ran.out + ran.err) == set()


def test_all_of_it_would_be_alive() -> None:
    """Each of the looks above sees what it looks for."""
    assert len(live(NASTY)) > 15
    assert live(inert(NASTY)) == set()
    assert len(alive_in_markdown(f"| a |\n| --- |\n| {NASTY} |\n")) > 3
    assert len(alive_in_page(NASTY)) > 2
    assert linked({"text": NASTY, "more": [{"text": "[1](2)"}]}) == {
        "javascript:alert(1",
        "https://evil.example/i.png",
        "2",
    }
    assert forged(f"a\n{FORGED}\n") == [FORGED]
