"""Requests as programs send them: HEAD, several values, bodies of other kinds, conditions spelled in other ways."""

from __future__ import annotations

import json
import logging

import pytest

from tests.muniment.http.doors import Door

QUESTION = json.dumps({"question": "what does the heron do"})


@pytest.mark.parametrize("path", ["/", "/web/app.js", "/healthz", "/readyz", "/metrics", "/api/documents"])
def test_what_can_be_got_can_be_asked_about(door: Door, path: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "muniment.http")
    got, asked = door.get(path), door.request("HEAD", path)
    assert (asked.status_code, asked.content) == (200, b"")
    about = ("content-type", "content-security-policy", "etag")
    assert [asked.headers.get(name) for name in about] == [got.headers.get(name) for name in about]
    method, route = caplog.records[-1].getMessage().split()[:2]
    assert (method, route != "-") == ("HEAD", True)


def test_what_can_only_be_sent_is_not_there_for_head(door: Door) -> None:
    asked = door.request("HEAD", "/api/ask")
    assert (asked.status_code, asked.headers["content-type"], asked.content) == (405, "application/problem+json", b"")


@pytest.mark.parametrize("query", ["q=heron&q=wren", "q=heron&limit=1&limit=2", "q=heron&mode=lexical&mode=lexical"])
def test_one_value_given_twice_is_refused(door: Door, query: str) -> None:
    answer = door.get(f"/api/search?{query}")
    assert (answer.status_code, answer.json()["error"]) == (422, "InvalidRequest")
    assert answer.json()["errors"][0]["said"] == "there are 2 of it, and it takes one"


def test_filters_take_any_number_of_values(door: Door) -> None:
    several = "kind=doc&kind=header&source=birds&source=birds&section=Heron&section=Wren&path=docs/&path=scripts/"
    assert door.get(f"/api/search?q=heron&{several}").status_code == 200


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/xml", "json"])
def test_a_body_that_is_not_said_to_be_json_is_told_apart(door: Door, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    answer = door.post("/api/ask", content=QUESTION, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (415, "UnsupportedMediaType")
    assert "application/json" in answer.json()["hint"]


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"])
def test_json_is_json_however_it_is_called(door: Door, kind: str) -> None:
    assert door.post("/api/ask", content=QUESTION, headers={"content-type": kind}).status_code == 200
    answer = door.post("/api/ask", content="[]", headers={"content-type": kind})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 422, "JSON decode error"),
        (b'{"question": "\xff"}', 400, "the body can't be read: it is no JSON in UTF-8"),
        (b'{"question": ' + b"[" * 30_000, 400, "the body can't be read: it is no JSON in UTF-8"),
        (b'{"as_of": ' + b"9" * 5_000 + b"}", 400, "the body can't be read: it is no JSON in UTF-8"),
    ],
)
def test_a_body_that_is_no_json_is_said_to_be_none(door: Door, body: bytes, status: int, said: str) -> None:
    answer = door.post("/api/ask", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert said in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/", "/api/search?q=heron"])
def test_a_condition_holds_however_it_is_spelled(door: Door, path: str) -> None:
    tag = door.get(path).headers["etag"]
    opaque = tag.removeprefix("W/")
    for known in ("*", opaque, f"W/{opaque}", f'"other",{tag}'):
        assert door.get(path, headers={"if-none-match": known}).status_code == 304
    two = [("if-none-match", '"other"'), ("if-none-match", tag)]
    assert door.get(path, headers=two).status_code == 304
    assert door.get(path, headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("pattern", ["[", "#x", "!docs/"])
def test_a_pattern_that_says_nothing_is_the_questions_fault(door: Door, pattern: str) -> None:
    answer = door.get("/api/search", params={"q": "heron", "path": pattern})
    assert (answer.status_code, answer.json()["error"]) == (400, "UsageError")
    assert answer.json()["detail"].startswith("path ")
