"""A server under more than it can take, over real sockets: it says so, keeps answering, and gives up on nobody else."""

from __future__ import annotations

import contextlib
import json
import select
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.muniment.http.test_serve import Served, serving

pytestmark = [pytest.mark.usefixtures("words_only"), pytest.mark.slow]


@pytest.fixture(scope="module")
def quick(_birds: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose clients have half a second to say what they want."""
    place = Path(shutil.copytree(_birds, tmp_path_factory.mktemp("quick") / "birds"))
    own = {"HOME": str(place / "home"), "EMBEDDER__NAME": "none", "SERVE__HEAD_TIMEOUT_S": "0.5"}
    with serving(XDG_CONFIG_HOME=str(place), **{f"MUNIMENT_{name}": value for name, value in own.items()}) as server:
        yield server


@contextmanager
def line_to(server: Served) -> Iterator[socket.socket]:
    address = server.client.base_url
    with socket.create_connection((address.host, address.port or 0), timeout=60) as line:
        yield line


def head(server: Served, first: str, *rest: str) -> bytes:
    address = server.client.base_url
    return "\r\n".join((first, f"Host: {address.host}:{address.port}", *rest, "", "")).encode()


def all_of(line: socket.socket) -> bytes:
    """What the server sends until it closes."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := line.recv(65_536):
            said += more
    return said


def problem_in(said: bytes) -> dict[str, object]:
    heads, _, body = said.partition(b"\r\n\r\n")
    assert b"application/problem+json" in heads
    found: dict[str, object] = json.loads(body)
    return found


def test_whoever_says_nothing_is_hung_up_on(quick: Served) -> None:
    with line_to(quick) as silent:
        said = all_of(silent)
        assert said.startswith(b"HTTP/1.1 408 ")
        assert problem_in(said)["error"] == "RequestTooSlow"


def test_a_head_that_comes_in_drops_has_no_more_time(quick: Served) -> None:
    """Slow loris: one line of a head after another, for ever."""
    with line_to(quick) as line:
        line.sendall(head(quick, "GET /healthz HTTP/1.1")[:-2])
        dripped = b""
        with contextlib.suppress(ConnectionError):  # it may be cut while it drips
            while not select.select([line], [], [], 0.05)[0]:
                line.sendall(b"X-Drop: 1\r\n")
                dripped += b"."
            assert all_of(line)[:12] in {b"HTTP/1.1 408", b""}
        assert 1 < len(dripped) < 1_000  # of 64 KB, which h11 would end it at


def test_a_second_request_has_no_more_time_than_the_first(quick: Served) -> None:
    with line_to(quick) as line:
        line.sendall(head(quick, "GET /healthz HTTP/1.1"))
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")
        line.sendall(b"GET /healthz HT")
        assert b" 200 " not in all_of(line)


def test_a_request_may_take_longer_than_its_head(quick: Served) -> None:
    body = b'{"question": "what does the heron do?"}'
    with line_to(quick) as line:
        line.sendall(
            head(
                quick,
                "POST /api/ask HTTP/1.1",
                "Content-Type: application/json",
                f"Content-Length: {len(body)}",
                "Expect: 100-continue",
            )
        )
        assert line.recv(100).startswith(b"HTTP/1.1 100")
        assert select.select([line], [], [], 1.2)[0] == []  # longer than a head may take
        line.sendall(body)
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Big: " + b"x" * 200_000 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X-Many: x\r\n" * 20_000 + b"\r\n",
        b"\x16\x03\x01\x02\x00",
        b"HELLO\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
    ids=["line", "header", "headers", "tls", "words", "lengths"],
)
def test_what_is_no_request_or_too_large_is_refused(quick: Served, sent: bytes) -> None:
    with line_to(quick) as line:
        with contextlib.suppress(ConnectionError):  # it did not read to the end
            line.sendall(sent)
        said = all_of(line)
        # A reset may overtake the answer where more was sent than was read.
        assert said == b"" or problem_in(said)["status"] in (400, 408)
        assert quick.client.get("/healthz").status_code == 200


def test_the_longest_question_of_any_script_fits_its_address(quick: Served) -> None:
    found = quick.client.get("/api/search", params={"q": "鳥" * 5_000})
    assert (found.status_code, found.json()["hits"]) == (200, [])


def test_more_requests_than_may_be_in_progress_are_told_to_come_back(home: Path) -> None:
    fields = ("Content-Type: application/json", "Content-Length: 9", "Expect: 100-continue")
    with ExitStack() as stack, serving(MUNIMENT_SERVE__MAX_REQUESTS="2") as server:
        waiting = [stack.enter_context(line_to(server)) for _ in range(2)]
        for line in waiting:
            line.sendall(head(server, "POST /api/ask HTTP/1.1", *fields))
            assert line.recv(100).startswith(b"HTTP/1.1 100")
        answer = server.client.get("/api/index/status")
        assert (answer.status_code, answer.json()["error"], answer.headers["retry-after"]) == (503, "ServerBusy", "1")
        assert answer.json()["transient"] is True
        assert server.client.get("/healthz").status_code == 200
        for line in waiting:
            line.sendall(b"not json!")
            assert line.recv(65_536).startswith(b"HTTP/1.1 422")
        assert server.client.get("/api/index/status").status_code == 200


def test_more_connections_than_may_be_open_are_told_to_come_back(home: Path) -> None:
    with ExitStack() as stack, serving(MUNIMENT_SERVE__MAX_CONNECTIONS="3") as server:
        assert server.client.get("/healthz").status_code == 200  # holds one open
        for _ in range(2):
            stack.enter_context(line_to(server))
        with line_to(server) as fourth:
            fourth.sendall(head(server, "GET /healthz HTTP/1.1"))
            said = all_of(fourth)
        assert said.startswith(b"HTTP/1.1 503 ")
        assert problem_in(said)["error"] == "ServerFull"
        assert b"retry-after: 2" in said
        with ExitStack() as many:
            lines = [many.enter_context(line_to(server)) for _ in range(6)]
            assert all_of(lines[-1]) == b""
        assert server.client.get("/healthz").status_code == 200
