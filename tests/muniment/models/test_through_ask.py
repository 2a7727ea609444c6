"""Every fault of a model's server, through the command and over HTTP: the passages with the reason, never more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import index_words
from tests.muniment.embedders.servers import Dialect
from tests.muniment.http.doors import FILES, opened
from tests.muniment.models.servers import ModelHandler, ModelServer

QUESTION = "What does the heron job print for the boxes?"
Answer = Callable[[ModelHandler], None]


def _flood(handler: ModelHandler) -> None:
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n[")
    while True:
        handler.wfile.write(b"0," * 500_000)


def _cut_off(handler: ModelHandler) -> None:
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{")


def _says(content: object) -> Answer:
    """A reply whose text is anything at all."""
    message = {"role": "assistant", "content": content}
    body = {"message": message, "done": True, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return lambda handler: handler.answer_json(body)


_NOT_ASKED_FOR = "(something that is not what was asked for|something that is no chat completion|without a message)"
FAULTS: dict[str, tuple[Answer, str]] = {
    "400": (lambda handler: handler.fail(400, "invalid format"), "answered HTTP 400"),
    "401": (lambda handler: handler.fail(401, "no"), r"does not let us in \(HTTP 401\)"),
    "429": (lambda handler: handler.fail(429, "slow down"), r"too much to do \(HTTP 429\)"),
    "500": (lambda handler: handler.fail(500, "runner terminated"), "answered HTTP 500"),
    "503": (lambda handler: handler.fail(503, "loading"), r"too much to do \(HTTP 503\)"),
    "model gone": (
        lambda handler: handler.fail(404, "model 'chatty' not found"),
        r"no such model or path \(HTTP 404\)",
    ),
    "prompt too long": (lambda handler: handler.fail(400, "exceeds the context length"), "finds a text too long"),
    "reset": (ModelHandler.reset, "broke off the connection"),
    "cut off": (_cut_off, "broke off the connection"),
    "hang": (ModelHandler.hang, "did not answer within"),
    "drip": (
        lambda handler: handler.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{"),
        "did not answer within",
    ),
    "huge": (_flood, "more than 67108864 bytes"),
    "HTML": (lambda handler: handler.answer(200, b"<html>It works!"), _NOT_ASKED_FOR),
    "nothing": (lambda handler: handler.answer(200, b""), _NOT_ASKED_FOR),
    "a list": (lambda handler: handler.answer(200, b"[]"), _NOT_ASKED_FOR),
    "null": (lambda handler: handler.answer(200, b"null"), _NOT_ASKED_FOR),
    "very deep": (lambda handler: handler.answer(200, b"[" * 200_000), _NOT_ASKED_FOR),
    "no message": (lambda handler: handler.answer(200, b'{"choices": [], "done": true}'), _NOT_ASKED_FOR),
    "no text": (_says(None), _NOT_ASKED_FOR),
    "a number as text": (_says(7), _NOT_ASKED_FOR),
}
SLOW = {"hang", "drip", "huge"}
CASES = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in FAULTS]


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of an index that is found by its words."""
    return index_words(tmp_path_factory.mktemp("birds"), FILES)


@pytest.fixture
def asked(birds: Path, server: ModelServer, words_only: None, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Settings that let the server word answers, for the command line and as values."""
    model: dict[str, Any] = {"name": server.dialect, "model": "chatty", "hosts": [server.url]}
    ask: dict[str, Any] = {"enabled": True, "timeout_s": 1.0, "evidence": 0.3}
    for section, values in (("MODEL", model), ("ASK", ask)):
        for key, value in values.items():
            spelled = value if isinstance(value, str) else json.dumps(value)
            monkeypatch.setenv(f"MUNIMENT_{section}__{key.upper()}", spelled)
    return {"model": model, "ask": ask}


@pytest.fixture
def elsewhere(dialect: Dialect) -> Iterator[ModelServer]:
    """Where a server may send its clients, and nobody should ever go."""
    with ModelServer(dialect) as running:
        yield running


@pytest.mark.parametrize("fault", CASES)
def test_the_passages_are_shown_with_the_reason(
    muniment: Any, birds: Path, server: ModelServer, asked: dict[str, Any], fault: str
) -> None:
    server.conduct.instead, says = FAULTS[fault]
    named = rf"model '{server.dialect}' at '{server.url}' \(model 'chatty'\) .*{says}"
    ran = muniment("ask", QUESTION, "--home", birds)
    assert ran.code == 0
    assert ran.out.startswith("no answer: no model host answered\nclosest passages:\n")
    assert "docs/heron.md:" in ran.out
    assert re.search(f"note: provider_unavailable: {named}", ran.err)
    assert "Traceback" not in ran.err
    with opened(birds, **asked) as door:
        reply = door.post("/api/ask", {"question": QUESTION})
    assert reply.status_code == 200
    answer = reply.json()
    assert (answer["reason"], answer["answer"], answer["citations"]) == ("provider_unavailable", "", [])
    assert re.match(named, answer["detail"])
    assert "docs/heron.md" in [one["path"] for one in answer["excerpts"]]


def test_a_redirect_is_not_followed(
    muniment: Any, birds: Path, server: ModelServer, elsewhere: ModelServer, asked: dict[str, Any]
) -> None:
    server.conduct.instead = lambda handler: handler.answer(307, b"", Location=elsewhere.url + handler.path)
    answer = muniment("ask", QUESTION, "--home", birds, "--json").json
    assert answer["reason"] == "provider_unavailable"
    assert "redirects are not followed" in answer["detail"]
    assert not elsewhere.requests


def test_a_model_that_says_when_to_ask_again_is_asked_again(
    muniment: Any, birds: Path, server: ModelServer, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_ASK__TIMEOUT_S", "30")
    said = {"answer": "The heron job prints labels for the boxes.", "citations": [1], "confidence_pct": 90}
    server.conduct.say = lambda request: json.dumps(said)

    def later(handler: ModelHandler) -> None:
        server.conduct.instead = None
        handler.answer(429, b"{}", **{"Retry-After": "1"})

    server.conduct.instead = later
    assert muniment("ask", QUESTION, "--home", birds, "--json").json["reason"] == ""
    assert len(server.chats) == 2


def test_a_reply_of_a_megabyte_is_no_answer(
    muniment: Any, birds: Path, server: ModelServer, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_ASK__TIMEOUT_S", "30")
    server.conduct.instead = _says("word " * 250_000)
    answer = muniment("ask", QUESTION, "--home", birds, "--json").json
    assert (answer["reason"], answer["answer"]) == ("invalid_reply", "")
    assert len(answer["detail"]) < 500
