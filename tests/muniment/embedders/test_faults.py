"""Servers that misbehave on the wire: each fault gets its name, and is never mistaken for vectors."""

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from muniment.errors import ProviderError, ProviderReply, ProviderUnavailable
from tests.muniment.embedders.conftest import Make
from tests.muniment.embedders.servers import Dialect, EmbeddingServer, Handler, hash_vector

TEXTS = ["the first private text", "the second private text", "the third private text"]


def first_changed(change: Callable[[list[Any]], Any]) -> Callable[[list[str], list[Any]], list[Any]]:
    return lambda texts, vectors: [change(vectors[0]), *vectors[1:]]


SPOILT: dict[str, tuple[Callable[[list[str], list[Any]], list[Any]], str]] = {
    "fewer": (lambda texts, vectors: vectors[1:], "vectors for 3 texts"),
    "none": (lambda texts, vectors: [], "0 vectors for 3 texts"),
    "more": (lambda texts, vectors: [*vectors, vectors[0]], "vectors for 3 texts"),
    "all too wide": (lambda texts, vectors: [[*v, 0.5] for v in vectors], "9 numbers where 8"),
    "one too short": (first_changed(lambda v: v[:-1]), "7 numbers where 8"),
    "one empty": (first_changed(lambda v: []), "0 numbers where 8"),
    "NaN": (first_changed(lambda v: [math.nan, *v[1:]]), "NaN or infinity"),
    "infinity": (first_changed(lambda v: [math.inf, *v[1:]]), "NaN or infinity"),
    "zeros": (first_changed(lambda v: [0.0] * len(v)), "zeros"),
    "a null": (first_changed(lambda v: [None, *v[1:]]), "not (what was asked for|made of numbers)"),
    "a null vector": (first_changed(lambda v: None), "not (what was asked for|made of numbers)"),
    "words": (first_changed(lambda v: ["much"] * len(v)), "not (what was asked for|made of numbers)"),
    "nested": (first_changed(lambda v: [v]), "not (what was asked for|made of numbers)"),
    "a number": (first_changed(lambda v: 1.0), "not (what was asked for|made of numbers)"),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_spoilt_vectors_are_refused(make: Make, server: EmbeddingServer, fault: str) -> None:
    embedder = make(dimension=8)
    embedder.embed(TEXTS)
    server.behaviour.spoil, says = SPOILT[fault]
    with pytest.raises(ProviderReply, match=says) as caught:
        embedder.embed(TEXTS)
    assert "'tiny'" in caught.value.message
    assert caught.value.hint


REFUSALS: dict[str, tuple[int, str, type[ProviderError], str]] = {
    "bad request": (400, "invalid input type", ProviderReply, "HTTP 400"),
    "key refused": (401, "no", ProviderReply, "HTTP 401"),
    "NaN for Ollama": (400, "embedding contains NaN or Inf values", ProviderReply, "computed NaN"),
    "NaN for older Ollama": (500, "failed to encode response: json: unsupported value: NaN", ProviderReply, "NaN"),
    "always 500": (500, "the second private text crashed it", ProviderReply, "HTTP 500"),
    "queue full": (503, "server busy, please try again.", ProviderUnavailable, "HTTP 503"),
    "rate limit": (429, "slow down", ProviderUnavailable, "HTTP 429"),
    "bad gateway": (502, "", ProviderUnavailable, "HTTP 502"),
}


@pytest.mark.parametrize("fault", REFUSALS)
def test_a_refusal_gets_its_name(make: Make, server: EmbeddingServer, fault: str) -> None:
    status, message, error, says = REFUSALS[fault]
    server.behaviour.refuse = lambda texts: (status, message)
    with pytest.raises(error, match=says) as caught:
        make(api_key="sk-secret").embed(TEXTS)
    assert server.url in caught.value.message
    assert not any(word in caught.value.message + caught.value.hint for word in ("private", "sk-secret"))


def test_an_unknown_model_is_named(make: Make, dialect: Dialect) -> None:
    with pytest.raises(ProviderReply, match=r"'missing'.* has no such model") as caught:
        make(model="missing").embed(TEXTS)
    assert caught.value.hint == {"ollama": "run: ollama pull missing"}.get(dialect, caught.value.hint)


BODIES: dict[str, tuple[int, bytes]] = {
    "HTML": (200, b"<html><body>It works!</body></html>"),
    "HTML error": (500, b"<html><body>Oops</body></html>"),
    "a list as error": (500, b'["no"]'),
    "null as error": (400, b"null"),
    "a list": (200, b"[]"),
    "null": (200, b"null"),
    "an error with status 200": (200, b'{"error": "no"}'),
    "vectors that are none": (200, b'{"embeddings": 3, "data": 3}'),
    "no vectors in the list": (200, b'{"embeddings": ["x"], "data": ["x"]}'),
    "cut off": (200, b'{"embeddings": [[0.1, 0.'),
    "nothing": (200, b""),
    "bytes": (200, b"\xff\xfe\x00\x9f"),
    "very deep": (200, b"[" * 200_000),
    "see other": (303, b"elsewhere"),
}


@pytest.mark.parametrize("fault", BODIES)
def test_a_body_without_vectors_is_refused(make: Make, server: EmbeddingServer, fault: str) -> None:
    status, body = BODIES[fault]
    server.behaviour.instead = lambda handler: handler.answer(status, body)
    with pytest.raises(ProviderReply):
        make().embed(TEXTS)


def test_an_endless_body_is_cut_short(make: Make, server: EmbeddingServer) -> None:
    def flood(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n[")
        while True:
            handler.wfile.write(b"0," * 500_000)

    server.behaviour.instead = flood
    with pytest.raises(ProviderReply, match="more than"):
        make().embed(TEXTS)


SILENCES: dict[str, Callable[[Handler], None]] = {
    "no answer": Handler.hang,
    "a status line that drips": lambda handler: handler.drip(b"HTTP/1.1 200"),
    "headers that drip": lambda handler: handler.drip(b"HTTP/1.1 200 OK\r\nX-Slow:"),
    "a body that drips": lambda handler: handler.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{"),
    "an error that drips": lambda handler: handler.drip(b"HTTP/1.1 500 Oops\r\nContent-Length: 99999\r\n\r\n{"),
}


@pytest.mark.parametrize("fault", SILENCES)
def test_the_deadline_covers_the_whole_answer(make: Make, server: EmbeddingServer, fault: str) -> None:
    server.behaviour.instead = SILENCES[fault]
    with pytest.raises(ProviderUnavailable, match=r"did not answer within 0\.3 s"):
        make(timeout_s=0.3).embed(TEXTS)


def test_a_reset_connection_is_worth_a_retry(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.instead = Handler.reset
    with pytest.raises(ProviderUnavailable, match="broke off"):
        make().embed(TEXTS)


def test_an_answer_cut_off_is_worth_a_retry(make: Make, server: EmbeddingServer) -> None:
    def stop(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{")

    server.behaviour.instead = stop
    with pytest.raises(ProviderUnavailable, match="broke off"):
        make().embed(TEXTS)


def test_a_closed_port_is_worth_a_retry(make: Make, dialect: Dialect) -> None:
    with EmbeddingServer(dialect) as gone:
        url = gone.url
    with pytest.raises(ProviderUnavailable, match="can't be reached") as caught:
        make(url=url).embed(TEXTS)
    assert (caught.value.exit_code, caught.value.transient) == (13, True)


def test_an_embedder_recovers_with_its_server(make: Make, server: EmbeddingServer) -> None:
    embedder = make()
    server.behaviour.refuse = lambda texts: (503, "server busy")
    with pytest.raises(ProviderUnavailable):
        embedder.embed(TEXTS)
    server.behaviour.refuse = lambda texts: None
    assert embedder.embed(TEXTS).shape == (3, 8)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(
    make: Make, server: EmbeddingServer, elsewhere: EmbeddingServer, status: int
) -> None:
    server.behaviour.instead = lambda handler: handler.answer(status, b"", Location=elsewhere.url + handler.path)
    with pytest.raises(ProviderReply, match="redirects are not followed"):
        make().embed(TEXTS)
    assert not elsewhere.received


def test_no_proxy_is_taken_from_the_environment(
    make: Make, elsewhere: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, elsewhere.url)
        monkeypatch.setenv(name.lower(), elsewhere.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert make().embed(TEXTS).shape == (3, 8)
    assert not elsewhere.received


def test_a_proxy_of_the_settings_is_used(make: Make, server: EmbeddingServer, elsewhere: EmbeddingServer) -> None:
    elsewhere.behaviour.instead = lambda handler: handler.answer_vectors("tiny", [hash_vector("one text", 8)])
    vectors = make(proxy=elsewhere.url).embed(["one text"])
    np.testing.assert_allclose(vectors[0], hash_vector("one text", 8), atol=1e-6)
    assert elsewhere.received
    assert not server.received


def test_a_key_is_sent_only_when_set(make: Make, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "of-the-environment")
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    make().embed(["a"])
    make(api_key="of-the-settings").embed(["b"])
    sent = [received.headers.get("authorization") for received in server.received]
    assert sent == [None, "Bearer of-the-settings"]


def test_a_server_that_refuses_a_foreign_name_is_named(make: Make, server: EmbeddingServer) -> None:
    embedder = make(url="http://models.example.com", proxy=server.url, egress_ack=True)
    with pytest.raises(ProviderReply, match="does not let us in"):
        embedder.embed(TEXTS)
    assert server.received[0].headers["host"] == "models.example.com"


def test_large_numbers_are_no_fault(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [[x * 1e300 for x in v] for v in vectors]
    vectors = make().embed(TEXTS)
    np.testing.assert_allclose(vectors, [hash_vector(text, 8) for text in TEXTS], atol=1e-6)


def test_whole_numbers_are_no_fault(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: json.loads(json.dumps([[3, 4, 0, 0, 0, 0, 0, 0] for _ in texts]))
    np.testing.assert_allclose(make().embed(["a"]), [[0.6, 0.8, 0, 0, 0, 0, 0, 0]], atol=1e-6)
