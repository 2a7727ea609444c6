"""The members of the table that talk to a server, each with a server of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from muniment.models import Message, Model, ModelChoice, make_model
from tests.muniment.embedders.servers import Dialect
from tests.muniment.models.servers import ModelServer

Make = Callable[..., Model]
TALK = [Message("system", "Be brief."), Message("user", '{"question": "how long?"}')]
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}


@pytest.fixture(params=["ollama", "openai"])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Each wire format in turn."""
    chosen: Dialect = request.param
    return chosen


@pytest.fixture
def server(dialect: Dialect) -> Iterator[ModelServer]:
    """A well-behaved server."""
    with ModelServer(dialect) as running:
        yield running


@pytest.fixture
def second(dialect: Dialect) -> Iterator[ModelServer]:
    """Another one."""
    with ModelServer(dialect) as running:
        yield running


@pytest.fixture
def make(dialect: Dialect, server: ModelServer) -> Make:
    """Makes the model `chatty` of the server."""

    def made(**changes: Any) -> Model:
        model = make_model(ModelChoice(**{"name": dialect, "model": "chatty", "hosts": (server.url,), **changes}))
        assert model
        return model

    return made
