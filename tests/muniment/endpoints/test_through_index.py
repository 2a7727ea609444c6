"""Every fault of a server of vectors, through the commands: what is stored, said, kept, resumed and still found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.muniment.embedders.servers import Behaviour, EmbeddingServer
from tests.muniment.endpoints.conftest import LONGER, SHORT, held
from tests.muniment.endpoints.faults import FAULTS, LONG, arm

ALWAYS = {"fewer vectors", "another width", "another model", "the model is gone", "reset"}
CASES = [pytest.param(name, marks=[] if name in ALWAYS else [pytest.mark.slow]) for name in FAULTS]


@pytest.mark.parametrize("name", CASES)
def test_a_fault_costs_no_more_than_its_batch(
    muniment: Any,
    repo: Path,
    server: EmbeddingServer,
    elsewhere: EmbeddingServer,
    own_place: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = FAULTS[name]
    if name == "dripped":
        monkeypatch.setenv("MUNIMENT_EMBEDDER__TIMEOUT_S", "1")
    arm(server, fault, elsewhere.url)
    ran = muniment("index", repo)
    long = {f"{n}.md" for n in range(SHORT, SHORT + LONGER)}

    assert ran.code == 3
    said = f"note: {LONGER} of {SHORT + LONGER} chunks wait for their vectors: batch 2 of 2: "
    said += f"embedder '{server.dialect}' at '{server.url}' (model 'tiny') "
    (note,) = [line for line in ran.err.splitlines() if line.startswith("note: ")]
    assert note.startswith(said)
    assert re.search(fault.says, note)
    assert "Traceback" not in ran.err
    kept = held(own_place)
    assert (kept.wrong, kept.pending, len(kept.right)) == (set(), long, SHORT)
    assert (kept.cached, kept.wrongly_cached) == (SHORT, 0)

    found = muniment("search", "number39", "--json")
    assert (found.code, found.json["hits"][0]["path"], found.json["pending"]) == (0, "39.md", LONGER)
    assert found.json["mode"] == "lexical"
    assert re.search(fault.says, found.json["words_only"])
    asked = muniment("ask", "What is number39 about?", "--json").json
    assert asked["words_only"]
    assert asked["excerpts"][0]["path"] == "39.md"
    assert not elsewhere.received

    server.behaviour = Behaviour()
    server.received.clear()
    again = muniment("index", repo, "--json")
    assert (again.code, again.json["embedded"], again.json["pending"]) == (0, LONGER, 0)
    assert sum(LONG in text for text in server.texts) == LONGER
    assert not [text for text in server.texts if LONG not in text and text.startswith("Part ")][1:], "one known text"
    mended = held(own_place)
    assert (len(mended.right), mended.cached, mended.wrongly_cached) == (SHORT + LONGER, SHORT + LONGER, 0)
    assert muniment("search", "number39", "--json").json["mode"] == "hybrid"


ZEROS = [0.0] * 8
ONE_TEXT = {
    "refused": (Behaviour(refuse=lambda texts: (500, "NaN") if _bad(texts) else None), "computed NaN"),
    "crashing": (Behaviour(refuse=lambda texts: (500, "runner terminated") if _bad(texts) else None), "HTTP 500"),
    "zeros": (
        Behaviour(
            spoil=lambda texts, vectors: [ZEROS if _bad([t]) else v for t, v in zip(texts, vectors, strict=True)]
        ),
        "vector of zeros",
    ),
    "null": (
        Behaviour(spoil=lambda texts, vectors: [None if _bad([t]) else v for t, v in zip(texts, vectors, strict=True)]),
        "not (what was asked for|made of numbers)",
    ),
}


def _bad(texts: list[str]) -> bool:
    return any("number7." in text for text in texts)


def _reset_over_bad(server: EmbeddingServer) -> Behaviour:
    def answer(handler: Any) -> None:
        texts = server.received[-1].texts
        if _bad(texts):
            handler.reset()
        else:
            handler.embed(Behaviour(), "tiny", texts)

    return Behaviour(instead=answer)


@pytest.mark.parametrize("name", [*ONE_TEXT, "reset"])
def test_one_bad_text_is_named_and_costs_only_itself(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path, name: str
) -> None:
    behaviour, says = ONE_TEXT.get(name) or (_reset_over_bad(server), "broke off the connection")
    server.behaviour = behaviour
    ran = muniment("index", repo)
    assert ran.code == 3
    said = "note: 1 of 40 chunks wait for their vectors: 7.md:1: batch 1 of 2: embedder "
    assert re.search(re.escape(said) + f".*{says}", ran.err)
    kept = held(own_place)
    assert (kept.wrong, kept.pending, kept.wrongly_cached) == (set(), {"7.md"}, 0)
    server.behaviour = Behaviour()
    server.received.clear()
    assert muniment("index", repo, "--json").json["embedded"] == 1
    assert held(own_place).pending == set()


def test_one_text_over_the_window_is_cut_alone(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    server.behaviour.window_chars, server.behaviour.cuts = 40, False
    (repo / "long.md").write_text("# Long\n\n" + "=" * 60 + "\n")
    ran = muniment("index", repo, "--worktree", "--json")
    assert (ran.code, ran.json["pending"]) == (0, 0)


def test_vectors_out_of_order_are_put_in_order(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    """Only OpenAI's format numbers them; a server of the other one that shuffles is given up."""
    server.behaviour.spoil = lambda texts, vectors: (
        vectors[::-1]
        if server.dialect == "ollama"
        else [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)][::-1]
    )
    ran = muniment("index", repo)
    kept = held(own_place)
    assert (kept.wrong, kept.wrongly_cached) == (set(), 0)
    if server.dialect == "openai":
        assert (ran.code, len(kept.right)) == (0, SHORT + LONGER)
    else:
        assert (ran.code, kept.cached) == (3, 0)
        assert "gives a text another vector in a batch than alone" in ran.err
