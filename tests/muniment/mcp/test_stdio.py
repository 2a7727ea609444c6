"""The process that an agent starts: what is on its stdout, and when it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.muniment.mcp.agents import PYTHON, environment

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
ENDS_S = 60
"""Far more than it takes to end, far less than the model would take."""
CHATTER = """
import os, sys

def chatter(event, args):
    if event == "open" and str(args[0]).endswith("current.json"):
        print("a stray print")
        print("half a line", end="")
        os.write(1, b"a stray write\\n")
        os.system("echo a stray child")

sys.addaudithook(chatter)
from muniment.cli import main
sys.exit(main(["mcp"]))
"""


@contextmanager
def process(
    home: Path, command: tuple[str, ...] = (*PYTHON, "mcp"), settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[subprocess.Popen[str]]:
    """A server that has greeted us."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env=environment(home, **settings), text=True, **pipes) as server:  # type: ignore[call-overload]
        try:
            send(server, "initialize", id=1, params=HELLO)
            assert server.stdout
            assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "muniment"
            send(server, "notifications/initialized")
            yield server
        finally:
            server.kill()


def send(server: subprocess.Popen[str], method: str, **more: Any) -> None:
    assert server.stdin
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **more}) + "\n")
    server.stdin.flush()


def ask_tool(server: subprocess.Popen[str], tool: str, question: str) -> None:
    send(server, "tools/call", id=2, params={"name": tool, "arguments": {"question": question}})


def test_nothing_but_the_protocol_is_on_stdout(home: Path) -> None:
    with process(home, (sys.executable, "-c", CHATTER)) as server:
        ask_tool(server, "search", "heron")
        assert server.stdout
        reply = json.loads(server.stdout.readline())
        assert (reply["id"], reply["result"]["isError"]) == (2, False)
        out, err = server.communicate(timeout=ENDS_S)
        assert out == ""
        for said in ("a stray print", "half a line", "a stray write", "a stray child"):
            assert said in err


def test_it_ends_when_its_client_closes(home: Path) -> None:
    with process(home) as server:
        out, err = server.communicate(timeout=ENDS_S)
        assert (server.returncode, out, err) == (0, "", "")


def test_it_ends_when_its_client_goes_while_a_model_thinks(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        model = {"ASK__ENABLED": "true", "ASK__TIMEOUT_S": "3600", "MODEL__NAME": "openai", "MODEL__MODEL": "m"}
        settings = {f"MUNIMENT_{name}": value for name, value in model.items()}
        patient = {"MUNIMENT_MODEL__HOSTS": json.dumps([host]), "MUNIMENT_MODEL__PROBE_TIMEOUT_S": "60"}
        with process(home, settings=settings | patient) as server:
            ask_tool(server, "ask", "How long does the copy in hand get to finish on TERM?")
            silent.settimeout(ENDS_S)
            connected, _ = silent.accept()
            with connected:
                server.communicate(timeout=ENDS_S)
            assert server.returncode == 0


def test_it_ends_when_nobody_reads_its_replies(home: Path) -> None:
    with process(home) as server:
        assert server.stdout
        server.stdout.close()
        ask_tool(server, "search", "heron")
        assert server.stdin
        server.stdin.close()
        assert server.wait(timeout=ENDS_S) == 0


def test_an_interrupt_ends_it_at_once(home: Path) -> None:
    with process(home) as server:
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=ENDS_S) == -signal.SIGINT


def test_settings_that_cannot_be_used_are_told_on_stderr(home: Path) -> None:
    done = subprocess.run(
        [*PYTHON, "mcp"],
        env=environment(home, MUNIMENT_ASK__MAX_DOCS="none"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "setting 'ask.max_docs'" in done.stderr


@pytest.mark.parametrize(
    ("line", "code", "known"),
    [
        ("{no json", -32700, None),
        ("42", -32600, None),
        ('[{"jsonrpc": "2.0", "id": 7, "method": "ping"}]', -32600, None),
        ('{"jsonrpc": "2.0", "id": 7, "method": 7}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"x": "\\ud800"}}', -32600, "a"),
        ('{"id": true}', -32600, None),
    ],
)
def test_whoever_sends_no_message_is_told_so(home: Path, line: str, code: int, known: object) -> None:
    with process(home) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(f"\n  \n{line}\n")
        server.stdin.flush()
        reply = json.loads(server.stdout.readline())
        assert (reply["id"], reply["error"]["code"]) == (known, code)
        send(server, "ping", id=8)
        assert json.loads(server.stdout.readline())["id"] == 8


def test_a_line_that_is_no_message_does_not_end_it(home: Path) -> None:
    with process(home) as server:
        assert server.stdin
        server.stdin.write("\x00 no json \ud7ff\n")
        ask_tool(server, "search", "heron")
        assert server.stdout
        assert any(json.loads(server.stdout.readline()).get("id") == 2 for _ in range(2))
