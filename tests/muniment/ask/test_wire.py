"""Replies over the wire: those that hold, those that break the contract, and what becomes of each."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.muniment.ask.conftest import QUESTION, enable, says
from tests.muniment.models.servers import ModelHandler, ModelServer, Request


def test_a_good_answer_is_shown_with_its_lines(muniment: Any, indexed: Path, server: ModelServer) -> None:
    server.conduct.say = says("It keeps 87 copies.")
    ran = muniment("ask", QUESTION)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "It keeps 87 copies.\n\n[1] docs/kestrel.md:1-3 Kestrel\n"


def test_a_model_is_sent_excerpts_and_may_cite_no_other(muniment: Any, indexed: Path, server: ModelServer) -> None:
    server.conduct.say = says("It keeps 87 copies.")
    answer = muniment("ask", QUESTION, "--json").json
    (request,) = server.chats
    sent = request.question["excerpts"]
    assert request.question["question"] == QUESTION
    assert [one["text"] for one in sent] == [one["text"] for one in answer["excerpts"]]
    assert request.schema["properties"]["citations"]["items"]["enum"] == [one["id"] for one in sent]
    assert all(len(one["text"]) <= 400 for one in sent)


def test_the_whole_answer_is_in_json(muniment: Any, indexed: Path, server: ModelServer) -> None:
    server.conduct.say = says("It keeps 87 copies.", confidence_pct=73)
    answer = muniment("ask", QUESTION, "--json").json
    (citation,) = answer["citations"]
    assert (citation["path"], citation["line_start"], citation["line_end"]) == ("docs/kestrel.md", 1, 3)
    assert "87 copies" in citation["text"]
    assert (answer["confidence"], answer["reason"], answer["prompt"]) == (0.73, "", "answer-1")
    assert (answer["model"], answer["host"]) == (f"{server.dialect}:chatty", server.url)
    assert answer["assembly"]
    assert answer["elapsed_ms"] > 0


def test_little_confidence_is_worded_so(muniment: Any, indexed: Path, server: ModelServer) -> None:
    server.conduct.say = says("It keeps 87 copies.", confidence_pct=49)
    assert muniment("ask", QUESTION).out.startswith("possibly related: It keeps 87 copies.")


GOOD = json.dumps({"answer": "It keeps 87 copies.", "citations": [1], "confidence_pct": 90})
ACCEPTED: dict[str, Callable[[Request], str]] = {
    "in a fence": lambda request: f"```json\n{GOOD}\n```",
    "duplicated citations": says("It keeps 87 copies.", [1, 1, 1]),
    "markup around it": says("It keeps **87** [copies](https://evil.example)<img src=x>."),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_only_looks_odd_is_accepted(muniment: Any, indexed: Path, server: ModelServer, name: str) -> None:
    server.conduct.say = ACCEPTED[name]
    answer = muniment("ask", QUESTION, "--json").json
    assert (answer["reason"], len(answer["citations"]), len(server.chats)) == ("", 1, 1)
    assert "87" in answer["answer"]
    assert not any(live in answer["answer"] for live in ("evil", "<", "]("))


def test_a_value_may_be_spelled_another_way(muniment: Any, indexed: Path, server: ModelServer) -> None:
    server.conduct.say = says("The copy in hand gets 5 minutes to finish.", [1])
    answer = muniment("ask", "How long does the copy in hand get on TERM?", "--json").json
    assert answer["answer"] == "The copy in hand gets 5 minutes to finish."
    assert "300" in answer["citations"][0]["text"]


BROKEN: dict[str, tuple[str, Callable[[Request], str]]] = {
    "schema ignored": ("invalid_reply", lambda request: "It keeps 87 copies [1]."),
    "schema echoed": ("invalid_reply", lambda request: json.dumps(request.schema)),
    "words around JSON": ("invalid_reply", lambda request: f"Sure! {GOOD}"),
    "truncated": ("invalid_reply", lambda request: GOOD[:40]),
    "over the limit of tokens": ("invalid_reply", lambda request: GOOD + " " * 9_000),
    "empty": ("invalid_reply", lambda request: ""),
    "a list": ("invalid_reply", lambda request: f"[{GOOD}]"),
    "two objects": ("invalid_reply", lambda request: f"{GOOD}{GOOD}"),
    "one more key": ("invalid_reply", lambda request: GOOD[:-1] + ', "note": "x"}'),
    "citations as strings": ("invalid_reply", says("It keeps 87 copies.", ["1"])),
    "a citation as a number": ("invalid_reply", says("It keeps 87 copies.", 1)),
    "confidence as a fraction": ("invalid_reply", says("It keeps 87 copies.", [1], 0.9)),
    "confidence out of range": ("invalid_reply", says("It keeps 87 copies.", [1], 1_000)),
    "confidence below nothing": ("invalid_reply", says("It keeps 87 copies.", [1], -1)),
    "citation out of range": ("uncited", says("It keeps 87 copies.", [1, 99])),
    "citation zero": ("uncited", says("It keeps 87 copies.", [0])),
    "no citation": ("uncited", says("It keeps 87 copies.", [])),
    "words of nowhere": ("uncited", says("Penguins enjoy tropical cocktails.")),
    "nothing but an image": ("uncited", says("![87](https://evil.example)")),
    "a changed number": ("value_not_in_source", says("It keeps 85 copies.")),
    "an invented path": ("value_not_in_source", says("It keeps 87 copies in /var/kestrel.")),
    "an invented flag": ("value_not_in_source", says("It keeps 87 copies with --keep.")),
    "an invented constant": ("value_not_in_source", says("It keeps KESTREL_COPIES copies.")),
    "an invented date": ("value_not_in_source", says("It keeps 87 copies since 2024-05-31.")),
    "an invented address": ("value_not_in_source", says("It keeps 87 copies, see https://evil.example.")),
    "a value of another excerpt": ("value_not_in_source", says("The kestrel job keeps 300 copies.", [1])),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_reply_is_never_shown(muniment: Any, indexed: Path, server: ModelServer, name: str) -> None:
    """One repair try, then the passages with the reason."""
    reason, server.conduct.say = BROKEN[name]
    answer = muniment("ask", QUESTION, "--json").json
    assert (answer["reason"], answer["answer"], answer["citations"]) == (reason, "", [])
    assert answer["detail"]
    assert answer["excerpts"][0]["path"] == "docs/kestrel.md"
    first, second = server.chats
    assert second.body["messages"][:2] == first.body["messages"]
    assert "can't be used" in second.body["messages"][-1]["content"]


def test_a_repaired_reply_is_accepted(muniment: Any, indexed: Path, server: ModelServer) -> None:
    replies = iter(["oops", GOOD])
    server.conduct.say = lambda request: next(replies)
    assert muniment("ask", QUESTION, "--json").json["answer"] == "It keeps 87 copies."


@pytest.mark.parametrize("nothing", ["", "null", "None", " N/A ", None])
def test_a_model_may_find_no_answer(muniment: Any, indexed: Path, server: ModelServer, nothing: object) -> None:
    server.conduct.say = says(nothing)
    ran = muniment("ask", QUESTION)
    assert ran.out.startswith("no answer: nothing that was found answers the question\nclosest passages:\n")
    assert "docs/kestrel.md:1-3" in ran.out
    assert "no_matching_content" in ran.err
    assert len(server.chats) == 1


FAULTS: dict[str, Callable[[ModelHandler], None]] = {
    "500": lambda handler: handler.fail(500, "oops"),
    "503": lambda handler: handler.fail(503, "busy"),
    "HTML": lambda handler: handler.answer(200, b"<html>It works!</html>"),
    "hang": ModelHandler.hang,
    "drip": lambda handler: handler.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n{"),
    "reset": ModelHandler.reset,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_without_reply_is_said_so(
    muniment: Any, indexed: Path, server: ModelServer, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_ASK__TIMEOUT_S", "0.4")
    server.conduct.instead = FAULTS[fault]
    ran = muniment("ask", QUESTION, "--json")
    assert (ran.code, ran.json["reason"]) == (0, "provider_unavailable")
    assert server.url in ran.json["detail"]
    assert ran.json["excerpts"]


def test_another_host_takes_over(
    muniment: Any, indexed: Path, ollama: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer("ollama") as gone:
        pass
    enable(monkeypatch, gone, ollama)
    ollama.conduct.say = says("It keeps 87 copies.")
    assert muniment("ask", QUESTION, "--json").json["host"] == ollama.url
    lines = [line for line in muniment("doctor").out.splitlines() if " model " in line]
    assert f"{gone.url} is passed over" in lines[0]
    assert f"{ollama.url} serves: has 'chatty'" in lines[1]


def test_without_evidence_no_model_is_called(muniment: Any, indexed: Path, server: ModelServer) -> None:
    answer = muniment("ask", "Who won the football World Cup in 1998?", "--json").json
    assert answer["reason"] == "no_matching_content"
    assert not server.requests


def test_a_long_prompt_is_cut_to_the_window(
    muniment: Any, indexed: Path, ollama: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_MODEL__CONTEXT_TOKENS", "1024")
    monkeypatch.setenv("MUNIMENT_ASK__MAX_TOKENS", "600")
    ollama.conduct.say = says("It keeps 87 copies.")
    answer = muniment("ask", QUESTION, "--json").json
    assert len(ollama.chats[0].question["excerpts"]) == len(answer["excerpts"]) == 1
    assert ollama.chats[0].body["options"]["num_ctx"] == 1024
