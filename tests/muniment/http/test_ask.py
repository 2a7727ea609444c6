"""POST /api/ask."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment.tokens import create_token
from tests.conftest import ROOT, Ran, make_repo
from tests.muniment.http.doors import QUESTION, Door, index_repo, opened

BILLS = ROOT / "tests" / "muniment" / "records" / "bills"


def test_an_answer_is_the_command_lines(door: Door, muniment: Callable[..., Ran], words_only: None) -> None:
    shown = muniment("ask", QUESTION, "--json").json
    answer = door.post("/api/ask", {"question": QUESTION, "max_docs": 8}).json()
    assert set(answer) - {"disagreements"} == set(shown)
    assert answer["disagreements"] == answer["disputes"]
    for name in ("answer", "confidence", "reason", "model", "disputes"):
        assert answer[name] == shown[name], name
    assert "KESTREL_GRACE seconds (default: 300)" in answer["answer"]
    (citation,) = answer["citations"]
    assert (citation["path"], "<mark>TERM</mark>" in citation["marked"]) == ("scripts/kestrel.sh", True)
    assert [one["actual"] for one in answer["disputes"]] == ["120"]


def test_without_evidence_the_closest_passages_are_sent(door: Door, home: Path) -> None:
    answer = door.post("/api/ask", {"question": "Which heron won the football World Cup in 1998?"}).json()
    assert (answer["answer"], answer["reason"], answer["citations"]) == ("", "no_matching_content", [])
    assert {one["path"] for one in answer["excerpts"]} >= {"docs/heron.md"}
    (log,) = (home / "log").glob("assembly-*.jsonl")
    assert json.loads(log.read_text())["outcome"] == "no_matching_content"


def test_max_docs_bounds_the_excerpts(door: Door) -> None:
    answer = door.post("/api/ask", {"question": "what does the heron do", "max_docs": 1}).json()
    assert len(answer["excerpts"]) == 1


@pytest.mark.parametrize(
    "question",
    ["--grace?", "${KESTREL_GRACE}", "a/b.sh", "C++", '"', "the", "日本語", "x" * 5_000, "?", "OR AND NOT *:", "\x00a"],
)
def test_any_question_is_taken(door: Door, question: str) -> None:
    answer = door.post("/api/ask", {"question": question})
    assert answer.status_code == 200
    assert answer.json()["reason"] in ("", "no_matching_content")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"question": "   "}, 400),
        ({"question": ""}, 422),
        ({"question": "x" * 5_001}, 422),
        ({"question": "heron", "max_docs": 21}, 422),
        ({"question": "heron", "model": "ollama"}, 409),
        ({"question": "heron", "model": "gpt"}, 400),
        ({"question": "heron", "source": ["nowhere"]}, 400),
        ({"question": "heron", "path": ["nowhere/"]}, 400),
        ({}, 422),
        ([], 422),
        (None, 422),
    ],
)
def test_a_wrong_question_is_a_problem(door: Door, body: object, status: int) -> None:
    answer = door.post("/api/ask", body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_lone_surrogate_is_no_question(door: Door) -> None:
    content = b'{"question": "\\ud800 heron"}'
    answer = door.request("POST", "/api/ask", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 422


def test_a_total_cites_the_lines_of_its_amounts(own_place: Path, tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in BILLS.iterdir()}
    index_repo(own_place, make_repo(tmp_path / "bills", files))
    with opened(own_place) as door:
        asked = {"question": "how much did I pay for electricity in November 2024", "today": "2025-03-01"}
        answer = door.post("/api/ask", asked).json()
    assert answer["answer"] == answer["total"]["text"]
    used = {one["document"]["path"] for one in answer["total"]["documents"] if one["outcome"] == "used"}
    assert {one["path"] for one in answer["citations"]} == used
    for one in answer["citations"]:
        line = files[one["path"]].decode().splitlines()[one["line_start"] - 1]
        assert " ".join(line.split()) == " ".join(one["text"].split())


def test_an_address_asks_so_often_and_no_more(home: Path) -> None:
    with opened(home, serve={"rate": 5, "burst": 10}) as door:
        answers = [door.post("/api/ask", {"question": "heron"}, client="192.0.2.7") for _ in range(40)]
        codes = [answer.status_code for answer in answers]
        assert codes[:10] == [200] * 10
        limited = next(answer for answer in answers if answer.status_code == 429)
        assert int(limited.headers["retry-after"]) >= 1
        assert limited.json()["error"] == "TooManyQuestions"
        assert door.post("/api/ask", {"question": "heron"}, client="192.0.2.8").status_code == 200
        assert door.get("/api/search", params={"q": "heron"}, client="192.0.2.7").status_code == 200


def test_only_a_proxy_of_ours_says_who_asks(home: Path) -> None:
    token = {"authorization": f"Bearer {create_token(home, 'phone', 'read', datetime.now(UTC))}"}

    def ask_often(door: Door) -> set[int]:
        headers = [{**token, "x-forwarded-for": f"198.51.100.{n}"} for n in range(6)]
        return {door.post("/api/ask", {"question": "heron"}, headers=one).status_code for one in headers}

    with opened(home, serve={"rate": 1, "burst": 1}) as door:
        assert 429 in ask_often(door)
    with opened(home, serve={"rate": 1, "burst": 1, "proxies": ["127.0.0.0/8"]}) as door:
        assert ask_often(door) == {200}
