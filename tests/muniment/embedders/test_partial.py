"""One bad text never costs its siblings their vectors."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.embedders.endpoint import BatchCorrupted
from muniment.embedders.partial import MAX_SILENCES, PROBE, embed_each
from muniment.errors import ProviderReply, ProviderUnavailable
from tests.muniment.embedders.conftest import Make
from tests.muniment.embedders.servers import Behaviour, EmbeddingServer, Handler, hash_vector

TEXTS = [f"paragraph {i}" for i in range(9)]
BAD = "paragraph 6"


def refuses(status: int, message: str) -> Callable[[Behaviour], None]:
    def apply(behaviour: Behaviour) -> None:
        behaviour.refuse = lambda texts: (status, message) if BAD in texts else None

    return apply


def gives(vector: list[float]) -> Callable[[Behaviour], None]:
    def apply(behaviour: Behaviour) -> None:
        behaviour.spoil = lambda texts, vectors: [
            vector if t == BAD else v for t, v in zip(texts, vectors, strict=True)
        ]

    return apply


FAULTS = {
    "a crash": (refuses(500, "unexpected"), "HTTP 500"),
    "a refusal": (refuses(400, "invalid input"), "HTTP 400"),
    "NaN refused": (refuses(400, "embedding contains NaN or Inf values"), "computed NaN"),
    "NaN": (gives([math.nan] * 8), "NaN or infinity"),
    "zeros": (gives([0.0] * 8), "zeros"),
    "too short": (gives([1.0] * 7), "7 numbers"),
    "empty": (gives([]), "0 numbers"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_text_stands_alone(make: Make, server: EmbeddingServer, fault: str) -> None:
    spoil, says = FAULTS[fault]
    spoil(server.behaviour)
    partial = embed_each(make(), TEXTS)
    assert list(partial.failures) == [6]
    assert says in partial.failures[6]
    assert BAD not in partial.failures[6]
    assert partial.kept == (0, 1, 2, 3, 4, 5, 7, 8)
    expected = [hash_vector(TEXTS[i], 8) for i in partial.kept]
    np.testing.assert_allclose(partial.vectors, expected, atol=1e-6)


@settings(max_examples=10)
@given(st.sets(st.integers(0, 8)))
def test_every_text_is_either_kept_or_failed(bad: set[int]) -> None:
    with EmbeddingServer("openai") as server:
        server.behaviour.refuse = lambda texts: (500, "no") if {TEXTS[i] for i in bad} & set(texts) else None
        partial = embed_each(make_embedder(EmbedderChoice("openai", "tiny", server.url)), TEXTS)
    assert set(partial.failures) == bad
    assert sorted({*partial.kept, *partial.failures}) == list(range(9))
    assert partial.vectors.shape == (9 - len(bad), 8)


def test_good_texts_go_out_once(make: Make, server: EmbeddingServer) -> None:
    embedder = make()
    embedder.embed(TEXTS)
    server.received.clear()
    assert embed_each(embedder, TEXTS).failures == {}
    assert server.texts == TEXTS


def test_no_texts_are_no_failure(make: Make) -> None:
    partial = embed_each(make(dimension=8), [])
    assert (partial.vectors.shape, partial.kept, partial.failures) == ((0, 8), (), {})


def test_a_server_that_refuses_everything_is_asked_twice(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.refuse = lambda texts: (500, "no")
    with pytest.raises(ProviderReply):
        embed_each(make(), TEXTS)
    assert len(server.received) == 2


def test_a_server_that_falls_silent_meanwhile_is_no_verdict(make: Make, server: EmbeddingServer) -> None:
    def falls_silent(texts: list[str]) -> tuple[int, str] | None:
        if BAD not in texts:
            return None
        return (500, "no") if len(texts) > 5 else (503, "busy")

    server.behaviour.refuse = falls_silent
    with pytest.raises(ProviderUnavailable):
        embed_each(make(), TEXTS)


def test_a_server_that_mixes_up_batches_is_not_halved(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: vectors[::-1]
    with pytest.raises(BatchCorrupted):
        embed_each(make(), TEXTS)


def test_a_text_that_makes_the_server_drop_the_connection_stands_alone(make: Make, server: EmbeddingServer) -> None:
    def drop(handler: Handler) -> None:
        texts = server.received[-1].texts
        if BAD in texts:
            handler.reset()
        else:
            handler.embed(Behaviour(), "tiny", texts)

    server.behaviour.instead = drop
    partial = embed_each(make(), TEXTS)
    assert list(partial.failures) == [6]
    assert "broke off the connection" in partial.failures[6]


def test_too_many_requests_without_an_answer_end_the_batch(make: Make, server: EmbeddingServer) -> None:
    def drop(handler: Handler) -> None:
        texts = server.received[-1].texts
        if PROBE in texts:
            handler.embed(Behaviour(), "tiny", texts)
        else:
            handler.reset()

    server.behaviour.instead = drop
    with pytest.raises(ProviderReply, match=f"broke off the connection, {MAX_SILENCES} times"):
        embed_each(make(batch=1), [f"text {n}" for n in range(64)])
    assert len(server.received) < 20
