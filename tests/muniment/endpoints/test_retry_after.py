"""A server that says when to ask again is asked again then, as long as that is within the time for one request."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.errors import ProviderUnavailable
from tests.muniment.embedders.servers import EmbeddingServer, Handler


def later(server: EmbeddingServer, said: str, times: int) -> list[float]:
    """Makes the server refuse so many times; returns when it was asked."""
    asked: list[float] = []

    def answer(handler: Handler) -> None:
        asked.append(time.monotonic())
        if len(asked) <= times:
            handler.answer(429, b'{"error": "slow down"}', **{"Retry-After": said})
        else:
            handler.embed(type(server.behaviour)(), "tiny", server.received[-1].texts)

    server.behaviour.instead = answer
    return asked


def embed(server: EmbeddingServer, timeout_s: float = 30) -> int:
    choice = EmbedderChoice(server.dialect, "tiny", server.url, timeout_s=timeout_s)
    return len(make_embedder(choice).embed(["x"]))


def test_it_is_asked_again_when_it_says(server: EmbeddingServer) -> None:
    asked = later(server, "1", 1)
    assert embed(server) == 1
    assert len(asked) == 2
    assert asked[1] - asked[0] >= 1


def test_it_may_name_a_moment(server: EmbeddingServer) -> None:
    asked = later(server, format_datetime(datetime.now(UTC) + timedelta(seconds=4), usegmt=True), 1)
    assert embed(server) == 1
    assert len(asked) == 2


@pytest.mark.parametrize("said", ["3600", "0", "-5", "soon", "1e3", "", "9" * 30, "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_nobody_waits_for_nothing_or_too_long(server: EmbeddingServer, said: str) -> None:
    asked = later(server, said, 9)
    with pytest.raises(ProviderUnavailable, match=r"too much to do \(HTTP 429\)"):
        embed(server)
    assert len(asked) == 1


def test_saying_so_again_and_again_ends_with_the_deadline(server: EmbeddingServer) -> None:
    asked = later(server, "1", 99)
    with pytest.raises(ProviderUnavailable):
        embed(server, timeout_s=2.5)
    assert 1 <= len(asked) <= 3
