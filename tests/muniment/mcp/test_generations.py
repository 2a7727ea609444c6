"""A server that runs on while the index changes, over both transports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import commit_all, write
from tests.muniment.mcp.agents import FILES, TRANSPORTS, index_repo


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_new_generation_is_seen_without_a_restart(transport: str, home: Path, birds: Path) -> None:
    with TRANSPORTS[transport](home) as agent:
        assert agent.told("search", question="pelican")["hits"] == []
        write(birds, {"docs/pelican.md": "# Pelican\n\nThe pelican job carries the archive.\n"})
        commit_all(birds)
        index_repo(home, birds)
        found = agent.told("search", question="pelican")
        assert (found["generation"], found["hits"][0]["path"]) == (2, "docs/pelican.md")
        assert agent.told("status")["number"] == 2
        assert agent.told("search", question="pelican", as_of=2)["generation"] == 2
        assert "is not kept" in agent.refused("search", question="pelican", as_of=77)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_index_may_come_later(transport: str, own_place: Path, birds: Path) -> None:
    with TRANSPORTS[transport](own_place) as agent:
        assert "muniment index" in agent.refused("search", question="heron")
        index_repo(own_place, birds)
        assert agent.told("search", question="heron")["hits"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_file_that_changed_since_is_said_to_have(transport: str, home: Path, birds: Path) -> None:
    index_repo(home, birds)
    with TRANSPORTS[transport](home) as agent:
        write(birds, {"docs/heron.md": FILES["docs/heron.md"] + "\nAnd sings.\n"})
        commit_all(birds)
        context = agent.told("assemble_context", question="heron never sleeps")
        assert context["parts"][0]["changed_since_index"] is True
        assert "note: changed since it was indexed" in context["text"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_client_of_the_protocol_with_a_handshake_is_served(transport: str, home: Path) -> None:
    with TRANSPORTS[transport](home, mode="legacy") as agent:
        assert len(agent.run(agent.client.list_tools).tools) == 7
        assert agent.told("search", question="heron")["hits"]
        assert "labels" in agent.told("ask", question="What does the heron job print?")["answer"]
