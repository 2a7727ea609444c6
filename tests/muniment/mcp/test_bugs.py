"""A bug of ours: the agent is told that there was one, the log where, and neither what was asked."""

from __future__ import annotations

import logging
from typing import Any, cast

import anyio
import pytest
from mcp.client.client import Client
from mcp_types import CallToolResult

from muniment.api import Index
from muniment.mcp.server import make_server
from muniment.mcp.work import Threads
from tests.muniment.mcp.agents import text_of


class Broken:
    """An index with a bug, whose message quotes the question."""

    def search(self, question: str, **_: Any) -> None:
        raise RuntimeError(f"can't think about {question}")


def test_a_bug_is_told_without_the_question(caplog: pytest.LogCaptureFixture) -> None:
    async def search() -> CallToolResult:
        async with Client(make_server(cast("Index", Broken()), Threads(2))) as client:
            return await client.call_tool("search", {"question": "my secret"})

    with caplog.at_level(logging.INFO):
        result = anyio.run(search)
    assert result.is_error
    assert "a bug in muniment" in text_of(result)
    assert "a bug in muniment: RuntimeError" in caplog.text
    assert "my secret" not in caplog.text + text_of(result)


def test_arguments_that_are_not_taken_are_told_without_their_values() -> None:
    async def search() -> CallToolResult:
        async with Client(make_server(cast("Index", Broken()), Threads(2))) as client:
            return await client.call_tool("search", {"question": ["my secret"], "limit": 51, "sources": "my secret"})

    text = text_of(anyio.run(search))
    assert "limit\n  Input should be less than or equal to 50" in text
    assert "sources\n  Extra inputs are not permitted" in text
    assert "question\n  Input should be a valid string" in text
    assert not any(word in text for word in ("my secret", "https://", "input_value"))


def test_making_a_server_leaves_logging_alone() -> None:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    make_server(cast("Index", Broken()), Threads(2))
    assert (root.handlers, root.level) == before
