"""Who may call, from where, with how much, and what every answer carries."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.http.hosts import is_loopback
from muniment.http.rate import client_key
from muniment.tokens import FILE, create_token, revoke_token
from tests.muniment.http.doors import BASE, Door, opened


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:8765", "[::1]:8765", "127.0.0.1"])
def test_it_answers_to_its_own_names(door: Door, host: str) -> None:
    assert door.get("/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "localhost:", "localhost:x", "", "[::1"],
)
@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0"])
def test_a_foreign_name_is_refused_wherever_it_listens(home: Path, bound: str, host: str) -> None:
    create_token(home, "any", "write", datetime.now(UTC))
    with opened(home, host=bound) as door:
        answer = door.get("/healthz", headers={"host": host})
    assert (answer.status_code, answer.json()["error"]) == (421, "HostNotAllowed")


def test_allowed_hosts_are_names_too(home: Path) -> None:
    serve = {"allowed_hosts": ["docs.example", "2001:db8::1"]}
    with opened(home, host="0.0.0.0", serve=serve) as door:
        for host in ("docs.example", "Docs.Example:443", "[2001:db8::1]:8765"):
            assert door.get("/healthz", headers={"host": host}).status_code == 200
        assert door.get("/healthz", headers={"host": "other.example"}).status_code == 421


def test_the_bound_address_is_a_name(home: Path) -> None:
    with opened(home, host="192.0.2.1") as door:
        assert door.get("/healthz", headers={"host": "192.0.2.1:8765"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:3000", "http://127.0.0.1", "127.0.0.1:8765", ""]
)
def test_a_page_of_another_origin_may_not_call(door: Door, origin: str) -> None:
    answer = door.post("/api/ask", {"question": "heron"}, headers={"origin": origin})
    assert (answer.status_code, answer.json()["error"]) == (403, "OriginNotAllowed")
    assert "access-control-allow-origin" not in answer.headers


def test_its_own_page_may_call(door: Door) -> None:
    assert door.post("/api/ask", {"question": "heron"}, headers={"origin": BASE}).status_code == 200


def test_a_token_that_is_made_closes_a_local_server_too(home: Path) -> None:
    with opened(home) as door:
        assert door.get("/api/index/status").status_code == 200
        token = create_token(home, "mine", "read", datetime.now(UTC))
        assert door.get("/api/index/status").status_code == 401
        assert door.get("/api/index/status", headers={"authorization": f"bearer {token}"}).status_code == 200
        revoke_token(home, "mine")
        assert door.get("/api/index/status").status_code == 200


def test_a_token_that_has_expired_is_refused_and_says_so(home: Path) -> None:
    now = datetime.now(UTC)
    late = create_token(home, "late", "write", now - timedelta(days=2), timedelta(days=1))
    good = create_token(home, "good", "read", now, timedelta(days=1))
    with opened(home) as door:
        answer = door.get("/api/index/status", headers={"authorization": f"Bearer {late}"})
        assert (answer.status_code, answer.json()["error"]) == (401, "TokenExpired")
        assert answer.json()["detail"].startswith("the token 'late' expired at ")
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]
        assert door.get("/api/index/status", headers={"authorization": f"Bearer {good}"}).status_code == 200
        revoke_token(home, "good")
        # What has expired opens nothing again.
        assert door.get("/api/index/status").status_code == 401


def test_a_server_for_others_stays_closed_without_tokens(home: Path) -> None:
    with opened(home, host="0.0.0.0") as door:
        token = create_token(home, "mine", "read", datetime.now(UTC))
        headers = {"authorization": f"Bearer {token}"}
        assert door.get("/api/index/status", headers=headers).status_code == 200
        revoke_token(home, "mine")
        for given in (headers, {}):
            assert door.get("/api/index/status", headers=given).status_code == 401


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"name": "x"}]', "null", '{"a": 1}'])
def test_torn_tokens_open_nothing(home: Path, text: str) -> None:
    (home / FILE).write_text(text)
    with opened(home) as door:
        answer = door.get("/api/index/status")
    assert (answer.status_code, answer.json()["error"]) == (503, "TokensUnreadable")
    assert str(home) not in answer.text


@pytest.mark.parametrize("given", ["Basic abc", "Bearer", "Bearer ", "mnm_x", "Bearer x y", "Bearer \xe9"])
def test_what_is_no_token_is_refused(home: Path, given: str) -> None:
    create_token(home, "any", "write", datetime.now(UTC))
    with opened(home) as door:
        answer = door.get("/api/index/status", headers={"authorization": given.encode("latin-1")})
    assert answer.status_code == 401


def _drip(size: int) -> Iterator[bytes]:
    for _ in range(size // 512):
        yield b" " * 512


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_has_its_limit(home: Path, declared: bool) -> None:
    async def dripping() -> object:
        for piece in _drip(4_096):
            yield piece

    with opened(home, serve={"max_body_bytes": 2_048}) as door:
        content = b" " * 4_096 if declared else dripping()
        answer = door.request("POST", "/api/ask", content=content)
        assert (answer.status_code, answer.json()["error"]) == (413, "BodyTooLarge")
        lies = {"content-length": "x", "content-type": "application/json"}
        assert door.request("POST", "/api/ask", content=b"{}", headers=lies).status_code == 413
        assert door.post("/api/ask", {"question": "heron"}).status_code == 200


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2_X", True), ("", False), ("a b", False), ("x" * 65, False), ("a\tb", False)]
)
def test_a_sane_request_id_comes_back(door: Door, given: str, kept: bool) -> None:
    made = door.get("/healthz", headers={"x-request-id": given}).headers["x-request-id"]
    assert (made == given) == kept
    assert made


@pytest.mark.parametrize("path", ["/healthz", "/api/search?q=heron", "/nope", "/openapi.json"])
def test_every_answer_carries_its_armour(door: Door, path: str) -> None:
    headers = door.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] in ("no-store", "private, no-cache")
    assert "server" not in headers


def test_a_bug_gets_an_answer_without_its_insides(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    def broken(q: str) -> None:
        raise ZeroDivisionError(f"the question was {q}")

    door.app.add_api_route("/api/broken", broken)
    with caplog.at_level(logging.INFO):
        answer = door.get("/api/broken", params={"q": "sesame"})
    assert (answer.status_code, answer.json()["error"]) == (500, "BugInMuniment")
    said = "".join(record.getMessage() for record in caplog.records if record.name != "httpx")
    assert "sesame" not in answer.text + said
    assert "ZeroDivision" not in answer.text
    assert "ZeroDivisionError" in said
    assert answer.json()["request_id"] in said


def test_questions_are_never_logged(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        door.get("/api/search", params={"q": "sesame"})
        door.post("/api/ask", {"question": "sesame"})
        door.post("/api/ask", {"question": "sesame", "max_docs": 99})
        door.get("/api/sesame")
        door.get("/api/search", params={"q": "x", "source": "sesame"})
    # The test's own client logs what it asks.
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert not [line for line in ours if "sesame" in line]
    assert sum("/api/ask" in line for line in ours) == 2
    assert "sesame" not in door.get("/metrics").text


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.1.5", False),
        ("localhost.evil.example", False),
    ],
)
def test_loopback_is_this_machine_alone(host: str, local: bool) -> None:
    assert is_loopback(host) == local


def test_a_client_is_its_address_or_its_network() -> None:
    assert client_key("192.0.2.7") == client_key("::ffff:192.0.2.7") == "192.0.2.7"
    assert client_key("2001:db8:1:2::5") == client_key("2001:db8:1:2:ffff::9")
    assert client_key("2001:db8:1:2::5") != client_key("2001:db8:1:3::5")
    assert client_key("testclient") == "testclient"


def test_behind_a_proxy_nobody_passes_without_a_token(home: Path) -> None:
    """The last token is revoked while it runs; whoever the proxy lets through is not of this machine."""
    with opened(home, serve={"proxies": ["127.0.0.1"]}) as door:
        assert door.get("/api/index/status").status_code == 401
        assert door.get("/healthz").status_code == 200
