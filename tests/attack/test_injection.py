"""Filters and questions that look like syntax: through every door they are values, and admit no row more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from flows.index import index
from flows.job import IndexJob
from muniment.embedders import EmbedderChoice
from muniment.runner import Direct
from schemas.files import Source
from tests.conftest import make_repo
from tests.muniment.http.doors import Door, opened
from tests.muniment.mcp.agents import Agent, over_stdio

PLAIN = "plain"
ODD = "x' OR '1'='1"
ODD_PATH = "docs/x' OR '1'='1/100%_\\heron.md"
SYNTAX = (
    ODD,
    '" OR ""="',
    "') OR 1=1 --",
    "plain' --",
    "'; DROP TABLE chunks; --",
    "1) OR (1=1",
    "%",
    "_____",
    "pl%",
    "plai_",
    "\\",
    "\\'",
    "plain\\",
    "*",
    "?[!]{}",
    "\u2019 OR \u20181\u2019=\u20181",
    "\uff07 OR 1=1",
    "plain\u200b",
    "\u202enialp",
    "${jndi:ldap://x}",
    "{{7*7}}",
    "$(touch SPRUNG)",
    "`touch SPRUNG`",
    "--json",
    "a" * 300,
)
FILES = {
    ODD_PATH: f"# {ODD}\n\nThe heron sleeps.\n",
    "docs/wren.md": "# Wren\n\nThe wren follows the heron.\n",
    "docs/percent.md": "# 100%\n\nAll of the heron.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two sources, of which one has a name, a path and a section that look like syntax."""
    place = tmp_path_factory.mktemp("injection")
    plain = {"README.md": "# Heron\n\nThe heron wakes.\n", "docs/finch.md": "# Finch\n\nThe finch saw the heron.\n"}
    sources = (
        Source(PLAIN, str(make_repo(place / "plain", plain))),
        Source(ODD, str(make_repo(place / "odd", FILES))),
    )
    index(IndexJob(place / "home/index", place / "home/runs", sources, EmbedderChoice(name="none")), Direct())
    return place / "home"


@pytest.fixture(scope="module")
def doors(home: Path) -> Iterator[tuple[Door, Agent]]:
    """HTTP and MCP, over that index."""
    with ExitStack() as stack:
        yield stack.enter_context(opened(home)), stack.enter_context(over_stdio(home))


@pytest.fixture
def cli(muniment: Any, words_only: None, home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MUNIMENT_HOME", str(home))
    return muniment


def places(hits: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(hit["source"], hit["path"]) for hit in hits}


EVERYWHERE = {(PLAIN, "README.md"), (PLAIN, "docs/finch.md"), *((ODD, path) for path in FILES)}
FOUND = {
    ("source", ODD): {(ODD, path) for path in FILES},
    ("section", ODD): {(ODD, ODD_PATH)},
    ("section", ODD.lower()): {(ODD, ODD_PATH)},
    ("section", "100%"): {(ODD, "docs/percent.md")},
    ("path", ODD): {(ODD, ODD_PATH)},
    ("path", f"{ODD}/"): {(ODD, ODD_PATH)},
    ("path", "100%_\\\\heron.md"): set(),
    ("path", "*"): EVERYWHERE,
}
"""What a filter that looks like syntax, and is a value of this index, admits: that, and nothing else."""
NAMES = ("type", "section", "source", "path")
TRIES = dict.fromkeys([*((name, value) for name in NAMES for value in SYNTAX), *FOUND])
ALSO_NUL = [*TRIES, *((name, "a\0b") for name in NAMES)]


def expected(name: str, value: str) -> set[tuple[str, str]]:
    return FOUND.get((name, value), set())


def test_without_a_filter_all_is_found(cli: Any, doors: tuple[Door, Agent]) -> None:
    door, agent = doors
    assert places(cli("search", "heron", "--json", "--limit", "50").json["hits"]) == EVERYWHERE
    assert places(door.get("/api/search", params={"q": "heron", "limit": 50}).json()["hits"]) == EVERYWHERE
    assert places(agent.told("search", question="heron", limit=50)["hits"]) == EVERYWHERE


@pytest.mark.parametrize(("name", "value"), TRIES)
def test_a_filter_of_the_command_line_is_a_value(cli: Any, name: str, value: str) -> None:
    for command in ("search", "ask"):
        if command == "ask" and name in ("type", "section"):
            continue
        ran = cli(
            command, "heron", "--json", "--limit=50" if command == "search" else "--model=none", f"--{name}={value}"
        )
        if not expected(name, value):
            assert (ran.code, ran.out) == (2, "")
            assert ran.err.startswith("error: ")
            assert "Traceback" not in ran.err
        else:
            assert ran.code == 0
            shown = ran.json["hits"] if command == "search" else [*ran.json["citations"], *ran.json["excerpts"]]
            assert places(shown) <= expected(name, value)
            assert command == "ask" or places(shown) == expected(name, value)


@pytest.mark.parametrize(("name", "value"), ALSO_NUL)
def test_a_filter_of_http_is_a_value(doors: tuple[Door, Agent], name: str, value: str) -> None:
    door, _ = doors
    answers = [door.get("/api/search", params={"q": "heron", "limit": 50, name: value})]
    if name in ("source", "path"):
        answers.append(door.post("/api/ask", {"question": "what does the heron do?", name: [value]}))
    if name != "section":
        answers.append(door.get("/api/documents", params={"limit": 50, name: value}))
    for answer in answers:
        if not expected(name, value):
            assert answer.status_code in (400, 422), answer.text
            continue
        assert answer.status_code == 200, answer.text
        told = answer.json()
        shown = told.get("hits") or told.get("documents") or [*told["citations"], *told["excerpts"]]
        assert places(shown) <= expected(name, value)


@pytest.mark.parametrize(("name", "value"), ALSO_NUL)
def test_a_filter_of_an_agent_is_a_value(doors: tuple[Door, Agent], name: str, value: str) -> None:
    _, agent = doors
    for tool in ("search", "assemble_context", *(("ask",) if name in ("source", "path") else ())):
        result = agent.call(tool, question="heron", **{name: [value]})
        if not expected(name, value):
            assert result.is_error
            assert "a bug in muniment" not in str(result.content)
            continue
        assert not result.is_error
        told: Any = result.structured_content
        shown = told.get("hits") or told.get("parts") or [*told["citations"], *told["excerpts"]]
        assert places(shown) <= expected(name, value)


@pytest.mark.parametrize(
    "value", [*SYNTAX, "heron' OR 'a'='a", 'heron "sleeps', "+heron -wren", "heron*", "heron~2^9", "\0"]
)
def test_a_question_is_only_words(cli: Any, doors: tuple[Door, Agent], value: str) -> None:
    door, agent = doors
    for mode in ("lexical", "hybrid"):
        answer = door.get("/api/search", params={"q": value, "limit": 50, "mode": mode})
        assert answer.status_code == 200, answer.text
        assert places(answer.json()["hits"]) <= EVERYWHERE
    assert places(agent.told("search", question=value, limit=50)["hits"]) <= EVERYWHERE
    ran = cli("search", "--json", "--", value)
    assert (ran.code, ran.err) == (0, "")


def test_a_kind_that_is_none_is_refused_at_every_door(cli: Any, doors: tuple[Door, Agent]) -> None:
    door, agent = doors
    for value in SYNTAX:
        assert cli("search", "heron", f"--kind={value}").code == 2
        assert door.get("/api/search", params={"q": "heron", "kind": value}).status_code == 422
        assert agent.call("search", question="heron", kind=[value]).is_error


def test_a_cursor_of_somebody_else_admits_nothing(doors: tuple[Door, Agent]) -> None:
    door, _ = doors
    for value in (*SYNTAX, "eyJnZW5lcmF0aW9uIjoxfQ", "\0", "=" * 40, "é"):
        assert door.get("/api/documents", params={"cursor": value}).status_code == 400
