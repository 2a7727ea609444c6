"""/mcp: who may call it, by which name, how often, and with how much."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from muniment.mcp.streamable import McpApp
from muniment.mcp.work import Threads
from muniment.opened import OpenIndex
from muniment.settings import Settings
from muniment.tokens import create_token
from tests.muniment.http.doors import BASE, opened
from tests.muniment.mcp.agents import asking, serving

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8765"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8765"}, 421),
        ({"origin": "http://127.0.0.1:8765"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_its_own_guard_knows_names_and_pages(home: Path, headers: dict[str, str], status: int) -> None:
    """Without any guard before it: as an app of its own."""

    async def post() -> int:
        app = McpApp(OpenIndex(home, Settings(), "http"), Threads(2), ["127.0.0.1", "localhost"], 10_000)
        transport = httpx.ASGITransport(app)
        async with app.running(), httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return (await client.post("/", json=LIST, headers=ACCEPT | headers)).status_code

    assert anyio.run(post) == status


@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0"])
def test_a_foreign_name_is_refused_wherever_it_listens(home: Path, bound: str) -> None:
    token = create_token(home, "any", "read", datetime.now(UTC))
    auth = {"authorization": f"Bearer {token}"}
    with opened(home, host=bound) as door:
        assert door.post("/mcp", LIST, headers=ACCEPT | auth).status_code == 200
        assert door.post("/mcp", LIST, headers=ACCEPT | auth | {"host": "evil.example"}).status_code == 421
        assert door.post("/mcp", LIST, headers=ACCEPT | auth | {"origin": "http://evil.example"}).status_code == 403


def test_without_a_token_nobody_gets_in(home: Path) -> None:
    create_token(home, "any", "write", datetime.now(UTC))
    with opened(home) as door:
        assert door.post("/mcp", LIST, headers=ACCEPT).status_code == 401
        wrong = {"authorization": "Bearer mnm_wrong"}
        assert door.post("/mcp", LIST, headers=ACCEPT | wrong).status_code == 401


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("scope", ["read", "write"])
def test_a_token_may_do_what_its_scope_says(home: Path, scope: str, mode: str) -> None:
    token = create_token(home, "any", scope, datetime.now(UTC))
    with serving(home, "--host", "0.0.0.0") as address, asking(address, token, mode) as agent:
        found = agent.told("search", question="heron")
        report: dict[str, Any] = {"assembly": found["assembly"], "used": [found["hits"][0]["chunk_id"]]}
        if scope == "write":
            assert agent.told("report_used", **report)["used"] == report["used"]
        else:
            assert "token of scope write" in agent.refused("report_used", **report)


def test_questions_are_as_few_as_over_the_rest_of_http(home: Path) -> None:
    with serving(home, MUNIMENT_SERVE__RATE="1", MUNIMENT_SERVE__BURST="1") as address, asking(address) as agent:
        results = [agent.call("ask", question="What does the heron print?") for _ in range(4)]
        assert not results[0].is_error
        assert any(result.is_error and "too often" in str(result.content) for result in results)
        assert agent.told("search", question="heron")["hits"]


def test_questions_of_agents_are_counted_with_all_others(home: Path) -> None:
    with serving(home) as address:
        with asking(address) as agent:
            agent.told("ask", question="What does the heron print?")
            agent.told("ask", question="Who won the football World Cup in 1998?")
        text = httpx.get(f"{address}/metrics", trust_env=False).text
    assert 'muniment_answers_total{outcome="answered"} 1.0' in text
    assert 'muniment_answers_total{outcome="no_matching_content"} 1.0' in text
    assert 'muniment_http_requests_total{method="POST",route="/mcp",status="200"}' in text


def test_a_body_has_a_size(home: Path) -> None:
    with opened(home, serve={"max_body_bytes": 2_000}) as door:
        assert door.post("/mcp", LIST | {"params": {"cursor": "x" * 3_000}}, headers=ACCEPT).status_code == 413


def test_there_is_no_stream_to_hold_open(home: Path) -> None:
    with opened(home) as door:
        assert door.get("/mcp", headers=ACCEPT).status_code == 405
