"""What is peculiar to OpenAI's format."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.errors import ProviderReply
from tests.muniment.embedders.servers import EmbeddingServer, hash_vector

TEXTS = ["one", "two", "three"]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """A well-behaved server."""
    with EmbeddingServer("openai") as running:
        yield running


def numbered(indices: list[object]) -> Any:
    """Gives the vectors these indices, in turn."""
    return lambda texts, vectors: [
        {"object": "embedding", "index": indices[i % len(indices)], "embedding": vector}
        for i, vector in enumerate(vectors)
    ]


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_the_version_in_an_address_may_be_left_out(server: EmbeddingServer, path: str) -> None:
    make_embedder(EmbedderChoice("openai", "tiny", server.url + path)).embed(["x"])
    assert server.received[0].path == "/v1/embeddings"


def test_vectors_are_put_in_the_order_of_their_indices(server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [
        {"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)
    ][::-1]
    vectors = make_embedder(EmbedderChoice("openai", "tiny", server.url)).embed(TEXTS)
    np.testing.assert_allclose(vectors, [hash_vector(text, 8) for text in TEXTS], atol=1e-6)


@pytest.mark.parametrize("indices", [[0, 0, 1], [1, 2, 3], [None], ["0"], [[0]], [0.5], [-1]])
def test_vectors_that_are_numbered_wrongly_are_refused(server: EmbeddingServer, indices: list[object]) -> None:
    embedder = make_embedder(EmbedderChoice("openai", "tiny", server.url, batch=3))
    embedder.embed(TEXTS)
    server.behaviour.spoil = numbered(indices)
    with pytest.raises(ProviderReply, match="number its vectors"):
        embedder.embed(TEXTS)
