"""The members of the table, each ready to be made against a server of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from tests.muniment.embedders.servers import Dialect, EmbeddingServer

Make = Callable[..., Embedder]


@pytest.fixture(params=["ollama", "openai"])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Each wire format in turn."""
    chosen: Dialect = request.param
    return chosen


@pytest.fixture
def server(dialect: Dialect) -> Iterator[EmbeddingServer]:
    """A well-behaved server that speaks the dialect."""
    with EmbeddingServer(dialect) as running:
        yield running


@pytest.fixture
def elsewhere(dialect: Dialect) -> Iterator[EmbeddingServer]:
    """A second one, which nobody should ever talk to."""
    with EmbeddingServer(dialect) as running:
        yield running


@pytest.fixture
def make(dialect: Dialect, server: EmbeddingServer) -> Make:
    """Makes an embedder of the server's model `tiny`."""

    def made(**changes: Any) -> Embedder:
        return make_embedder(EmbedderChoice(**{"name": dialect, "model": "tiny", "url": server.url, **changes}))

    return made
