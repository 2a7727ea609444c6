"""What the embedders behind an endpoint send, and what they make of a window, a batch and a width."""

import asyncio

import numpy as np
import pytest

from muniment.embedders.endpoint import BatchCorrupted
from muniment.embedders.remote import CANARY
from muniment.embedders.text import estimate_tokens
from muniment.endpoints.endpoint import TextTooLong
from muniment.errors import ProviderReply, SettingsError
from tests.muniment.embedders.conftest import Make
from tests.muniment.embedders.servers import EmbeddingServer, hash_vector

TEXTS = [f"paragraph {i}" for i in range(10)]


def test_a_model_gets_the_prefixes_it_is_known_for(make: Make, server: EmbeddingServer) -> None:
    embedder = make(model="nomic-embed-text")
    embedder.embed(["x"])
    embedder.embed(["x"], "query")
    assert server.texts == ["search_document: x", "search_query: x"]


def test_an_unknown_model_gets_no_prefix(make: Make, server: EmbeddingServer) -> None:
    make().embed(["x"])
    make().embed(["x"], "query")
    assert server.texts == ["x", "x"]


def test_prefixes_of_the_settings_come_first(make: Make, server: EmbeddingServer) -> None:
    embedder = make(model="nomic-embed-text", document_prefix="", query_prefix="ask: ")
    embedder.embed(["x"])
    embedder.embed(["x"], "query")
    assert server.texts == ["x", "ask: x"]


def test_a_query_differs_by_its_prefix_alone(make: Make) -> None:
    embedder = make(document_prefix="d: ", query_prefix="q: ")
    plain = make(document_prefix="", query_prefix="")
    np.testing.assert_array_equal(embedder.embed(["x"], "query"), plain.embed(["q: x"]))
    np.testing.assert_array_equal(embedder.embed(["x"]), plain.embed(["d: x"]))


def test_no_request_holds_more_than_a_batch(make: Make, server: EmbeddingServer) -> None:
    make(batch=4).embed(TEXTS)
    sent = [[text for text in received.texts if text != CANARY] for received in server.received]
    assert [batch for batch in sent if batch] == [TEXTS[:4], TEXTS[4:8], TEXTS[8:]]


def test_a_text_over_the_window_is_cut_before_it_is_sent(make: Make, server: EmbeddingServer) -> None:
    long = "word " * 500
    embedder = make(max_tokens=64, document_prefix="search_document: ")
    embedder.embed([long])
    (sent,) = server.texts
    assert ("search_document: " + long).startswith(sent)
    assert estimate_tokens(sent) == 64
    assert embedder.count_tokens([long])[0] > 64


def test_a_text_the_server_finds_too_long_is_halved_alone(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.window_chars, server.behaviour.cuts = 100, False
    long = "=" * 333
    vectors = make(max_tokens=8192).embed([*TEXTS, long])
    expected = [hash_vector(text, 8) for text in [*TEXTS, long[:83]]]
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_a_server_that_finds_all_too_long_is_given_up(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.window_chars, server.behaviour.cuts = 0, False
    with pytest.raises(TextTooLong) as caught:
        make().embed(["a fairly short text"])
    assert len(server.received) < 4
    assert "max_tokens" in caught.value.hint


def test_a_batch_in_another_order_is_noticed(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: vectors[1:] + vectors[:1]
    embedder = make(batch=5)
    with pytest.raises(BatchCorrupted, match=r"'tiny'.* another vector in a batch") as caught:
        embedder.embed(TEXTS)
    assert "embedder.batch = 1" in caught.value.hint
    seen = len(server.received)
    with pytest.raises(BatchCorrupted):
        embedder.embed(TEXTS[:2])
    assert len(server.received) == seen
    np.testing.assert_allclose(embedder.embed(["x"])[0], hash_vector("x", 8), atol=1e-6)


def test_a_batch_that_degrades_with_its_size_is_noticed(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [[v[0] + 0.1, *v[1:]] if len(texts) > 5 else v for v in vectors]
    embedder = make()
    assert len(embedder.embed(TEXTS[:3])) == 3
    with pytest.raises(BatchCorrupted):
        embedder.embed(TEXTS)


def test_a_proven_batch_size_is_not_proven_again(make: Make, server: EmbeddingServer) -> None:
    embedder = make()
    for _ in range(3):
        embedder.embed(TEXTS)
    assert server.texts.count(CANARY) == 2


def test_single_texts_need_no_proof(make: Make, server: EmbeddingServer) -> None:
    make(batch=1).embed(TEXTS)
    assert server.texts == TEXTS


def test_an_unknown_width_is_learned_and_kept(make: Make, server: EmbeddingServer) -> None:
    embedder = make()
    assert embedder.dimension == 0
    assert "unknown" in embedder.fingerprint
    embedder.embed(["x"])
    assert embedder.dimension == 8
    assert embedder.fingerprint == make(dimension=8).fingerprint
    server.behaviour.models["tiny"] = 9
    with pytest.raises(ProviderReply, match="9 numbers where 8"):
        embedder.embed(["x"])


def test_a_host_that_cannot_exist_is_a_wrong_setting(make: Make) -> None:
    with pytest.raises(SettingsError, match="'http://xn--a'"):
        make(url="http://xn--a", egress_ack=True).embed(["x"])


def test_a_running_event_loop_is_no_obstacle(make: Make) -> None:
    async def inside() -> int:
        return len(make().embed(["x"]))

    assert asyncio.run(inside()) == 1


def test_making_an_embedder_contacts_nothing(make: Make, server: EmbeddingServer) -> None:
    embedder = make()
    embedder.count_tokens(["x"])
    assert embedder.embed([]).shape == (0, 0)
    assert embedder.fingerprint
    assert not server.received
