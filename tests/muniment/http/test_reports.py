"""/reports: pages of nights and quality checks, for a browser, and for nobody else."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.http.tickets import COOKIE, LASTS_S, Tickets
from muniment.tokens import Token, create_token, read_tokens, revoke_token
from tests.conftest import Ran, write
from tests.muniment.http.doors import Door, opened

NOW = datetime.now(UTC)
PAGES = {
    "drift.html": "<!doctype html><title>drift</title>",
    "drift.md": "# Drift",
    "nightly.json": "{}",
    "quality/index.html": "<!doctype html><title>quality</title>",
    "quality/chunks.html": "<!doctype html><title>chunks</title>",
    ".drift.html.new": "half",
    ".quality.new/index.html": "half",
    "run.sh": "exit 1",
}


@pytest.fixture
def reports(home: Path) -> Path:
    write(home / "reports", PAGES)
    return home / "reports"


@pytest.mark.slow
def test_what_a_night_writes_can_be_opened(
    door: Door, home: Path, muniment: Callable[..., Ran], words_only: None
) -> None:
    assert door.get("/api/reports").json() == {"reports": []}
    assert muniment("nightly").code == 0
    found = {one["name"]: one for one in door.get("/api/reports").json()["reports"]}
    assert list(found) == ["drift", "quality"]
    for one in found.values():
        page = door.get(f"/{one['href']}")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.content == (home / one["href"]).read_bytes()
    assert door.get("/reports/quality/chunks.html").status_code == 200


@pytest.mark.parametrize("name", ["drift.html", "drift.md", "quality/chunks.html"])
def test_a_page_may_do_nothing_in_a_browser(door: Door, reports: Path, name: str) -> None:
    answer = door.get(f"/reports/{name}")
    assert answer.text == PAGES[name]
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "sandbox allow-same-origin", "frame-ancestors 'none'"} <= set(policy)
    assert not [one for one in policy if "script" in one]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "place",
    [
        *(name for name in PAGES if name.startswith(".") or name.endswith((".json", ".sh"))),
        "",
        "quality",
        "quality/",
        "drift.html/",
        "nope.html",
        "../tokens.json",
        "..%2ftokens.json",
        "%2e%2e/tokens.json",
        "quality/..%2f..%2findex/current.html",
        "/etc/hosts.html",
        "%2fetc%2fhosts.html",
        "drift.html%00",
        "a" * 5_000 + ".html",
        "link.html",
        "folder/index.html",
        "pipe.html",
    ],
)
def test_nothing_else_is_sent(door: Door, reports: Path, home: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    write(outside, {"index.html": "secret"})
    (reports / "link.html").symlink_to(outside / "index.html")
    (reports / "folder").symlink_to(outside)
    os.mkfifo(reports / "pipe.html")
    answer = door.get(f"/reports/{place}")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_links_to_folders_are_not_listed(door: Door, home: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside", PAGES)
    (home / "reports").mkdir(exist_ok=True)
    (home / "reports" / "quality").symlink_to(tmp_path / "outside" / "quality")
    assert door.get("/api/reports").json() == {"reports": []}


def test_a_link_is_let_in_by_the_ticket_of_its_page(home: Path, reports: Path) -> None:
    token = create_token(home, "page", "read", NOW)
    with opened(home) as door:
        assert door.get("/reports/drift.html").status_code == 401
        answer = door.get("/api/reports", headers={"authorization": f"Bearer {token}"})
        said = answer.headers["set-cookie"].lower()
        for part in ("httponly", "samesite=strict", "path=/reports", f"max-age={LASTS_S}"):
            assert part in said
        assert token not in said
        ticket = {"cookie": f"{COOKIE}={answer.cookies[COOKIE]}"}
        assert door.get("/reports/drift.html", headers=ticket).status_code == 200
        for method, path in (("GET", "/api/index/status"), ("GET", "/reports"), ("POST", "/reports/drift.html")):
            assert door.request(method, path, headers=ticket).status_code == 401
        revoke_token(home, "page")
        create_token(home, "other", "read", NOW)
        assert door.get("/reports/drift.html", headers=ticket).status_code == 401
    create_token(home, "page", "read", NOW)
    with opened(home) as door:
        assert door.get("/reports/drift.html", headers=ticket).status_code == 401


def test_without_tokens_no_ticket_is_made(door: Door, reports: Path) -> None:
    assert "set-cookie" not in door.get("/api/reports").headers
    assert door.get("/reports/drift.html", headers={"cookie": f"{COOKIE}=x"}).status_code == 200


@pytest.mark.parametrize(
    "ticket", ["", "x", "-", "1-2-3", "9" * 20 + "-x", "٣-x", "99999999999-" + "0" * 64, "\xe9-\xe9"]
)
def test_what_is_no_ticket_is_refused(home: Path, reports: Path, ticket: str) -> None:
    create_token(home, "page", "read", NOW)
    with opened(home) as door:
        cookie = {"cookie": f"{COOKIE}={ticket}".encode()}
        assert door.get("/reports/drift.html", headers=cookie).status_code == 401


def test_a_ticket_lasts_a_while_and_is_of_one_token() -> None:
    tickets, now = Tickets(), NOW.timestamp()
    tokens = [Token(name, "read", name * 64, "") for name in "ab"]
    ticket = tickets.make(tokens[1], now)
    assert tickets.holder(ticket, tokens, now + LASTS_S - 2) == tokens[1]
    assert tickets.holder(ticket, tokens, now + LASTS_S) is None
    assert tickets.holder(ticket, tokens[:1], now) is None
    until, _, seal = ticket.partition("-")
    assert tickets.holder(f"{int(until) + 1}-{seal}", tokens, now) is None
    assert Tickets().holder(ticket, tokens, now) is None


def test_an_expired_token_opens_no_report(home: Path, reports: Path) -> None:
    token = create_token(home, "late", "read", NOW - timedelta(days=2), timedelta(days=1))
    with opened(home) as door:
        (kept,) = read_tokens(home)
        late = door.serving.tickets.make(kept, NOW.timestamp())
        assert door.get("/reports/drift.html", headers={"cookie": f"{COOKIE}={late}"}).status_code == 401
        assert door.get("/api/reports", headers={"authorization": f"Bearer {token}"}).status_code == 401
