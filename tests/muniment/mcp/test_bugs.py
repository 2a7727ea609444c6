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


def test_making_a_server_leaves_logging_alone() -> None:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    make_server(cast("Index", Broken()), Threads(2))
    assert (root.handlers, root.level) == before
