"""The test server keeps to Ollama's contract, as Ollama's own client sees it."""

import http.client
import json
from collections.abc import Iterator

import httpx
import ollama
import pytest

from tests.muniment.models.servers import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[ollama.Client]:
    with ollama.Client(host=server.url, timeout=20, trust_env=False) as made:
        yield made


def test_models_are_listed_and_shown(client: ollama.Client) -> None:
    assert [model.model for model in client.list().models] == ["chatty:latest", "tiny:latest"]
    shown = client.show("tiny")
    assert shown.capabilities == ["embedding"]
    assert shown.modelinfo
    assert shown.modelinfo["bert.embedding_length"] == 8


def test_names_are_equal_in_any_case_and_without_tag(client: ollama.Client) -> None:
    assert client.show("TINY").capabilities == client.show("tiny:latest").capabilities


@pytest.mark.parametrize(
    ("call", "status", "says"),
    [
        (lambda client: client.show("missing"), 404, "model 'missing' not found"),
        (lambda client: client.embed("missing", "x"), 404, "model 'missing' not found"),
        (lambda client: client.embeddings("missing", "x"), 404, "try pulling it first"),
        (lambda client: client.chat("tiny", [{"role": "user", "content": "x"}]), 400, "does not support chat"),
        (lambda client: client.chat("chatty", [{"role": "user", "content": "x"}], think=True), 400, "thinking"),
        (lambda client: client.chat("chatty", [{"role": "user", "content": "x"}], keep_alive="soon"), 400, "duration"),
        (lambda client: client.embed("tiny", "word " * 3000, truncate=False), 400, "exceeds the context length"),
    ],
)
def test_refusals_are_ollamas(client: ollama.Client, call: object, status: int, says: str) -> None:
    with pytest.raises(ollama.ResponseError, match=says) as caught:
        call(client)  # type: ignore[operator]  # parametrize knows no types
    assert caught.value.status_code == status


def test_texts_are_embedded_in_order(client: ollama.Client) -> None:
    batch = client.embed("tiny", ["a", "b"]).embeddings
    assert [list(v) for v in batch] == [list(client.embed("tiny", text).embeddings[0]) for text in "ab"]
    assert len(client.embed("tiny", "a", dimensions=4).embeddings[0]) == 4
    assert client.embed("tiny", []).embeddings == []
    assert client.embed("tiny", "w " * 3000).embeddings == client.embed("tiny", "w " * 2048).embeddings
    assert len(client.embeddings("tiny", "a").embedding) == 8


def test_a_chat_streams_unless_told_not_to(client: ollama.Client, server: ModelServer) -> None:
    server.conduct.say = lambda request: "one two three"
    talk = [{"role": "user", "content": "count"}]
    whole = client.chat("chatty", talk, format={"type": "object"})
    parts = list(client.chat("chatty", talk, stream=True))
    assert whole.message.content == "one two three"
    assert [part.message.content for part in parts] == ["one", "two", "three", ""]
    assert (parts[-1].done, parts[-1].done_reason) == (True, "stop")


def test_no_messages_load_and_unload(client: ollama.Client) -> None:
    assert client.chat("chatty").done_reason == "load"
    assert client.chat("chatty", keep_alive=0).done_reason == "unload"


def test_a_long_prompt_loses_its_beginning_silently(client: ollama.Client, server: ModelServer) -> None:
    talk = [{"role": "system", "content": "rules " * 60}, {"role": "user", "content": "question " * 60}]
    client.chat("chatty", talk, options={"num_ctx": 100})
    assert [message["role"] for message in server.chats[0].body["messages"]] == ["user"]


def test_a_reply_is_cut_with_status_200(client: ollama.Client, server: ModelServer) -> None:
    server.conduct.say = lambda request: "word " * 100
    reply = client.chat("chatty", [{"role": "user", "content": "x"}], options={"num_predict": 2})
    assert (reply.done_reason, len(reply.message.content or "")) == ("length", 16)


def test_a_full_queue_is_busy(client: ollama.Client, server: ModelServer) -> None:
    server.conduct.busy = True
    with pytest.raises(ollama.ResponseError, match="server busy"):
        client.embed("tiny", "x")


def test_plain_requests_get_plain_answers(server: ModelServer) -> None:
    with httpx.Client(base_url=server.url, trust_env=False) as plain:
        assert plain.get("/").text == "Ollama is running"
        assert plain.head("/").status_code == 200
        assert "version" in plain.get("/api/version").json()
        assert plain.get("/api/chat").status_code == 405
        assert plain.post("/api/chat").json() == {"error": "missing request body"}
        assert plain.post("/api/chat", content=b"x").status_code == 400
        assert plain.post("/v1/embeddings", json={"model": "tiny"}).json()["error"]["type"] == "invalid_request_error"
        assert plain.get("/", headers={"Host": "evil.example.com"}).status_code == 403


def test_a_foreign_host_gets_an_empty_refusal(server: ModelServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    body = json.dumps({"model": "tiny", "input": "x"})
    connection.request("POST", "/api/embed", body, {"Host": "rebound.example.com"})
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (403, b"")
    connection.close()
