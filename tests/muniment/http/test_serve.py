"""`muniment serve` as a process of its own, met over a loopback port."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from muniment.cli.serve import listen_at
from muniment.tokens import create_token
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.http.doors import FILES, QUESTION, index_repo

pytestmark = pytest.mark.usefixtures("words_only")


class Served(NamedTuple):
    """A running server."""

    process: subprocess.Popen[str]
    said: list[str]
    """Its standard error, as far as it has come."""
    client: httpx.Client


@contextmanager
def serving(*argv: str, **environ: str) -> Iterator[Served]:
    """A server that listens, and is killed at the end where it has not stopped."""
    process = subprocess.Popen(
        [sys.executable, "-m", "muniment", "serve", "--port", "0", *argv],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    )
    assert process.stderr
    said = [process.stderr.readline()]
    # A full pipe would stop it.
    reading = threading.Thread(target=said.extend, args=(process.stderr,))
    reading.start()
    try:
        found = re.search(r"http://\S+", said[0])
        assert found, said
        with httpx.Client(base_url=found.group(), trust_env=False, timeout=60) as client:
            yield Served(process, said, client)
    finally:
        process.kill()
        process.wait()
        reading.join()
        process.stderr.close()


def test_it_answers_until_it_is_interrupted(home: Path) -> None:
    with serving() as server:
        assert server.client.get("/readyz").json() == {"status": "ok"}
        found = server.client.get("/api/search", params={"q": "heron sesame"})
        assert found.json()["hits"]
        assert "server" not in found.headers
        answer = server.client.post("/api/ask", json={"question": QUESTION}).json()
        assert "default: 300" in answer["answer"]
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(60) == 0
    assert not [line for line in server.said if "sesame" in line or "TERM" in line]
    assert any("GET /api/search 200" in line for line in server.said)


def test_it_sees_what_another_process_publishes(own_place: Path, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "own", FILES)
    first = index_repo(own_place, repo)
    with serving() as server:
        assert server.client.get("/api/index/status").json()["number"] == first
        write(repo, {"docs/robin.md": "# Robin\n\nThe robin guards the hedge.\n"})
        commit_all(repo)
        second = index_repo(own_place, repo)
        found = server.client.get("/api/search", params={"q": "robin hedge"}).json()
        assert (found["generation"], found["hits"][0]["path"]) == (second, "docs/robin.md")


def test_an_announced_body_that_is_too_large_is_not_waited_for(home: Path) -> None:
    with serving(MUNIMENT_SERVE__MAX_BODY_BYTES="2048") as server:
        address = server.client.base_url
        with socket.create_connection((address.host, address.port or 0), timeout=60) as line:
            head = f"Host: {address.host}:{address.port}\r\nContent-Length: 99999\r\n\r\n"
            line.sendall(f"POST /api/ask HTTP/1.1\r\n{head}".encode())
            assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_a_request_without_a_name_is_refused(home: Path) -> None:
    with serving() as server:
        address = server.client.base_url
        for head in ("GET /healthz HTTP/1.0\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n"):
            with socket.create_connection((address.host, address.port or 0), timeout=60) as line:
                line.sendall(head.encode())
                assert b" 4" in line.recv(100)[:12]


def test_beyond_this_machine_it_needs_tokens(muniment: Callable[..., Ran], own_place: Path) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        ran = muniment("serve", "--host", host)
        assert ran.code == 4
        assert ran.err.splitlines()[1].startswith("hint: make one with 'muniment token create NAME'")


def test_behind_a_proxy_it_needs_tokens(
    muniment: Callable[..., Ran], own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy is on this machine, and whoever it lets through is not."""
    monkeypatch.setenv("MUNIMENT_SERVE__PROXIES", '["127.0.0.1"]')
    ran = muniment("serve")
    assert ran.code == 4
    assert ran.err.startswith("error: other machines reach this through '127.0.0.1' (serve.proxies), and there is no")
    assert "muniment token create NAME" in ran.err


def test_beyond_this_machine_expired_tokens_are_none(muniment: Callable[..., Ran], own_place: Path) -> None:
    create_token(own_place, "late", "read", datetime.now(UTC) - timedelta(days=2), timedelta(days=1))
    ran = muniment("serve", "--host", "0.0.0.0")
    assert (ran.code, "none that is still good" in ran.err) == (4, True)


def test_with_tokens_it_serves_others(home: Path, muniment: Callable[..., Ran]) -> None:
    token = muniment("token", "create", "laptop").out.strip()
    with serving("--host", "0.0.0.0") as server:
        port = server.client.base_url.port
        base = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{base}/api/index/status", trust_env=False).status_code == 401
        own = {"authorization": f"Bearer {token}"}
        assert httpx.get(f"{base}/api/index/status", headers=own, trust_env=False).status_code == 200
        foreign = {**own, "host": f"rebound.example:{port}"}
        assert httpx.get(f"{base}/api/index/status", headers=foreign, trust_env=False).status_code == 421


def test_answers_do_not_wait_for_acknowledgements() -> None:
    with listen_at("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_one_line(muniment: Callable[..., Ran], own_place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = muniment("serve", "--port", taken.getsockname()[1])
    assert ran.code == 2
    assert ran.err.startswith("error: can't listen at 127.0.0.1:")
    assert muniment("serve", "--port", 99_999).code == 2
    assert muniment("serve", "--host", "no.such.host.invalid").code in (2, 4)


def test_a_model_that_can_not_be_used_is_said_at_once(
    muniment: Callable[..., Ran], own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_ASK__ENABLED", "true")
    monkeypatch.setenv("MUNIMENT_MODEL__NAME", "ollama")
    assert muniment("serve").code == 2
