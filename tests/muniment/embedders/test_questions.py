"""An embedder as questions use it."""

from __future__ import annotations

import numpy as np
import pytest

from muniment.embedders.changed import KnownText, ModelChanged
from muniment.embedders.questions import LONGEST_REST_S, TRUSTED_S, QuestionEmbedder
from muniment.errors import ProviderError
from tests.muniment.embedders.conftest import Make
from tests.muniment.embedders.servers import EmbeddingServer, Handler, hash_vector

KNOWN = KnownText("a known text", np.array(hash_vector("a known text", 8), np.float32))


class Clock:
    """Passes as much time as it is told, and as long as the answer takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_model_shows_once_that_it_is_the_same(make: Make, server: EmbeddingServer) -> None:
    clock = Clock()
    embedder = QuestionEmbedder(make(), KNOWN, clock)
    for _ in range(3):
        embedder.embed(["how?"], "query")
    assert server.texts.count(KNOWN.text) == 1
    clock.now += TRUSTED_S
    embedder.embed(["how?"], "query")
    assert server.texts.count(KNOWN.text) == 2


def test_another_model_embeds_no_question(make: Make, server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [vector[::-1] for vector in vectors]
    with pytest.raises(ModelChanged, match=r"'tiny'.* another model under that name"):
        QuestionEmbedder(make(), KNOWN).embed(["how?"], "query")
    assert "how?" not in server.texts


def test_one_that_keeps_people_waiting_is_left_alone(make: Make, server: EmbeddingServer) -> None:
    clock = Clock()

    def slow(handler: Handler) -> None:
        clock.now += 3  # as if it had taken that long
        handler.reset()

    server.behaviour.instead = slow
    embedder = QuestionEmbedder(make(), None, clock)
    for _ in range(5):
        with pytest.raises(ProviderError, match="broke off"):
            embedder.embed(["how?"], "query")
    assert len(server.received) == 1
    server.behaviour.instead = None
    clock.now += LONGEST_REST_S
    assert embedder.embed(["how?"], "query").shape == (1, 8)


def test_it_is_otherwise_the_inner_one(make: Make) -> None:
    inner = make()
    outer = QuestionEmbedder(inner, None)
    assert (str(outer), outer.fingerprint, outer.dimension) == (str(inner), inner.fingerprint, inner.dimension)
    assert (outer.max_tokens, outer.fixed, outer.count_tokens(["x"])) == (inner.max_tokens, False, [3])
