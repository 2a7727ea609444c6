"""Questions while the embedder does not do its work: every door answers by the words, and says why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from muniment.cli import main
from tests.conftest import make_repo
from tests.flows.conftest import until
from tests.muniment.embedders.servers import Behaviour, Dialect, EmbeddingServer, Handler
from tests.muniment.http.doors import FILES, QUESTION, opened
from tests.muniment.mcp.agents import Agent, asking, serving

pytestmark = pytest.mark.slow

FAULTS: dict[str, tuple[Behaviour, str]] = {
    "reset": (Behaviour(instead=Handler.reset), "broke off the connection"),
    "busy": (Behaviour(refuse=lambda texts: (503, "loading")), r"too much to do \(HTTP 503\)"),
    "gone": (Behaviour(models={}), r"has no such model or path \(HTTP 404\)"),
    "crashed": (Behaviour(refuse=lambda texts: (500, "oops")), "answered HTTP 500"),
    "no JSON": (Behaviour(instead=lambda handler: handler.answer(200, b"<html>")), "not what was asked for"),
    "too wide": (Behaviour(spoil=lambda texts, vectors: [[*v, 1.0] for v in vectors]), "9 numbers where 8"),
}


@dataclass(frozen=True)
class House:
    """An index with vectors, served by a process, and the server that its vectors are of."""

    home: Path
    environ: dict[str, str]
    embedding: EmbeddingServer
    address: str
    agent: Agent


@pytest.fixture(scope="module", params=["ollama", "openai"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The birds, asked over HTTP and MCP."""
    dialect: Dialect = request.param
    place = tmp_path_factory.mktemp("house")
    repo = make_repo(place / "repo", FILES)
    with EmbeddingServer(dialect) as embedding, pytest.MonkeyPatch.context() as patch:
        chosen = {"NAME": dialect, "MODEL": "tiny", "URL": embedding.url, "DIMENSION": "8"}
        environ = {f"MUNIMENT_EMBEDDER__{key}": value for key, value in chosen.items()}
        for key, value in {**environ, "XDG_CONFIG_HOME": str(place)}.items():
            patch.setenv(key, value)
        assert main(["index", str(repo), "--home", str(place / "home"), "--engine", "direct"]) == 0
        with serving(place / "home", **environ) as address, asking(address) as agent:
            yield House(place / "home", environ, embedding, address, agent)


@pytest.fixture
def doors(house: House, muniment: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[str], Any]]:
    """Door -> asks there, by `search`, `ask` or `assemble`, and returns what is shown."""
    for key, value in house.environ.items():
        monkeypatch.setenv(key, value)

    def cli(act: str) -> Any:
        ran = muniment(act, QUESTION, "--home", house.home, "--json")
        assert (ran.code, "Traceback" in ran.err) == (0, False)
        return ran.json

    def http(act: str) -> Any:
        with httpx.Client(base_url=house.address, timeout=60, trust_env=False) as client:
            found = (
                client.get("/api/search", params={"q": QUESTION})
                if act == "search"
                else client.post("/api/ask", json={"question": QUESTION})
            )
        assert found.status_code == 200, found.text
        return found.json()

    def mcp(act: str) -> Any:
        return house.agent.told(act, question=QUESTION)

    return {"cli": cli, "http": http, "mcp": mcp}


def matching(door: Callable[[str], Any], pattern: str) -> Any:
    """What a search shows, once its note is that: an embedder that was slow to fail is left alone for a while."""
    found = door("search")
    return found if re.fullmatch(pattern, found["words_only"]) else None


@pytest.mark.parametrize("fault", FAULTS)
def test_every_door_answers_by_the_words(house: House, doors: dict[str, Callable[[str], Any]], fault: str) -> None:
    house.embedding.behaviour, says = FAULTS[fault]
    for name, door in doors.items():
        found = until(partial(matching, door, f".*'tiny'.*{says}.*"))
        assert (found["mode"], found["hits"][0]["path"]) == ("lexical", "scripts/kestrel.sh"), name
        answer = door("ask")
        assert "KESTREL_GRACE seconds (default: 300)" in answer["answer"], name
        assert re.search(f"'tiny'.*{says}", answer["words_only"]), name
    context = house.agent.told("assemble_context", question=QUESTION)
    assert context["words_only"]
    assert context["parts"]


def test_the_command_line_says_why(house: House, muniment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in house.environ.items():
        monkeypatch.setenv(key, value)
    house.embedding.behaviour = FAULTS["reset"][0]
    for act in ("search", "ask"):
        ran = muniment(act, QUESTION, "--home", house.home)
        assert (ran.code, "scripts/kestrel.sh:" in ran.out) == (0, True)
        assert re.search(r"^note: searched by its words alone: .*'tiny'.* broke off the connection", ran.err), ran.err


def test_a_server_that_came_back_is_used_again(house: House, doors: dict[str, Callable[[str], Any]]) -> None:
    house.embedding.behaviour = Behaviour()
    for name, door in doors.items():
        assert until(partial(matching, door, ""))["mode"] == "hybrid", name
        assert door("ask")["words_only"] == ""


def test_a_silent_embedder_is_waited_for_once(house: House) -> None:
    """The first question waits for as long as it may, the next ones are answered by their words at once."""
    house.embedding.behaviour = Behaviour(instead=Handler.hang)
    embedder = {
        "name": house.embedding.dialect,
        "model": "tiny",
        "url": house.embedding.url,
        "dimension": 8,
        "timeout_s": 1,
    }
    house.embedding.received.clear()
    with opened(house.home, embedder=embedder) as door:
        replies = [door.get("/api/search", params={"q": QUESTION}).json() for _ in range(4)]
    assert {reply["mode"] for reply in replies} == {"lexical"}
    assert all("did not answer within 1 s" in reply["words_only"] for reply in replies)
    assert len(house.embedding.received) <= 2, "by a question, and by the server warming up beside it"


def test_what_was_found_by_words_is_not_taken_for_the_same_later(house: House) -> None:
    """A client that was given a poorer result gets the better one once there is one."""
    embedder = {"name": house.embedding.dialect, "model": "tiny", "url": house.embedding.url, "dimension": 8}
    with opened(house.home, embedder=embedder) as door:
        house.embedding.behaviour = Behaviour(refuse=lambda texts: (404, "gone"))
        poorer = door.get("/api/search", params={"q": QUESTION, "mode": "vector"})
    house.embedding.behaviour = Behaviour()
    with opened(house.home, embedder=embedder) as door:
        known = {"if-none-match": poorer.headers["etag"]}
        again = door.get("/api/search", params={"q": QUESTION, "mode": "vector"}, headers=known)
    assert (again.status_code, again.json()["mode"]) == (200, "vector")
