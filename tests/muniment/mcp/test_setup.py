"""The set-ups of docs/mcp.md, launched exactly as they stand there: only the program's place is this machine's."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.conftest import ROOT
from tests.muniment.mcp.agents import environment, talking

PAGE = (ROOT / "docs" / "mcp.md").read_text().partition("## Tools")[0]
PROGRAM = "/opt/muniment/.venv/bin/muniment"
HERE = str(Path(sys.executable).with_name("muniment"))


def launches() -> dict[str, list[str]]:
    """Agent -> the command that its set-up makes it start."""
    (line,) = re.findall(r"`claude mcp add (.+)`", PAGE)
    name, own = line.split(" -- ")
    anybody, code = (json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S))
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S)
    codex = tomllib.loads(block)
    assert code["servers"]["muniment"].pop("type") == "stdio"
    servers = {
        "most": anybody["mcpServers"],
        "VS Code": code["servers"],
        "Codex": codex["mcp_servers"],
        "Claude Code": {name: {"command": shlex.split(own)[0], "args": shlex.split(own)[1:]}},
    }
    return {agent: [own["muniment"]["command"], *own["muniment"]["args"]] for agent, own in servers.items()}


def test_every_set_up_starts_the_same_command() -> None:
    assert list(launches().values()) == [[PROGRAM, "mcp"]] * 4


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--home", "HOME"]], ids=["plain", "with a home"])
def test_an_agent_that_is_set_up_so_is_answered(home: Path, more: list[str]) -> None:
    command, *args = launches()["most"]
    assert Path(HERE).is_file()
    environ = environment(home)
    if more:
        del environ["MUNIMENT_HOME"]
    named = [str(home) if word == "HOME" else word for word in (*args, *more)]
    server = StdioServerParameters(command=command.replace(PROGRAM, HERE), args=named, env=environ)
    with talking(Client(server)) as agent:
        assert len(agent.run(agent.client.list_tools).tools) == 7
        assert "labels" in agent.told("ask", question="What does the heron job print?")["answer"]
