"""Another model under the same name: its vectors never stand beside the old ones, and there is a way to take it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.conftest import commit_all, write
from tests.muniment.embedders.servers import Behaviour, EmbeddingServer
from tests.muniment.endpoints.conftest import LONGER, SHORT, held
from tests.muniment.endpoints.faults import LONG

ALL = SHORT + LONGER


def other(server: EmbeddingServer) -> Behaviour:
    return Behaviour(spoil=lambda texts, vectors: [vector[::-1] for vector in vectors])


def test_a_model_changed_between_runs_is_noticed(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    muniment("index", repo)
    server.behaviour = other(server)
    write(repo, {"new.md": "# New\n\nAll about penguins.\n"})
    commit_all(repo)
    ran = muniment("index", repo)
    assert ran.code == 3
    assert "1 of 41 chunks wait for their vectors: batch 1 of 1: " in ran.err
    assert "there is another model under that name now, and 'muniment index --force' embeds everything anew" in ran.err
    assert (held(own_place).wrong, held(own_place).pending) == (set(), {"new.md"})
    found = muniment("search", "penguins", "--json").json
    assert (found["hits"][0]["path"], found["mode"]) == ("new.md", "lexical")
    assert "there is another model under that name now" in found["words_only"]


def test_force_takes_the_new_model_and_no_old_vector(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    muniment("index", repo)
    server.behaviour = other(server)
    ran = muniment("index", repo, "--force", "--json")
    assert (ran.code, ran.json["embedded"], ran.json["from_cache"], ran.json["pending"]) == (0, ALL, 0, 0)
    kept = held(own_place, turned=True)
    assert (len(kept.right), kept.wrong, kept.cached, kept.wrongly_cached) == (ALL, set(), ALL, 0)
    assert muniment("search", "number7", "--json").json["mode"] == "hybrid"


def test_a_model_changed_in_the_first_run_is_noticed(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    """In the midst of the second batch, between two of its requests."""

    def spoil(texts: list[str], vectors: list[Any]) -> list[Any]:
        if any(LONG in text for text in texts):
            server.behaviour = other(server)
        return vectors

    server.behaviour.spoil = spoil
    assert muniment("index", repo).code == 3
    kept = held(own_place)
    assert (len(kept.right), kept.wrong, kept.cached) == (SHORT, set(), SHORT)


def test_a_model_changed_after_a_run_was_killed_is_noticed(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    """Vectors were kept and given to no chunk, and nothing else in the index tells what the old model was."""
    from muniment.embedders import EmbedderChoice, make_embedder
    from muniment.store.writer import open_writer

    server.behaviour.refuse = lambda texts: (503, "loading")
    muniment("index", repo)
    server.behaviour.refuse = lambda texts: None
    embedder = make_embedder(EmbedderChoice(server.dialect, "tiny", server.url, 8))
    with open_writer(own_place / "index") as writer:
        writer.begin(embedder.fingerprint, 8, beside=False)
        rows = writer.pending(["embed_hash", "context", "text"]).slice(0, 5).to_pylist()
        texts = [f"{row['context']}\n{row['text']}" for row in rows]
        writer.remember([row["embed_hash"] for row in rows], embedder.embed(texts))
    server.behaviour = other(server)
    assert muniment("index", repo).code == 3
    kept = held(own_place)
    assert (len(kept.right), kept.wrong, kept.cached, kept.wrongly_cached) == (5, set(), 5, 0)


def test_an_old_model_that_comes_back_is_taken_again(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    muniment("index", repo)
    write(repo, {"new.md": "# New\n\nAll about penguins.\n"})
    commit_all(repo)
    server.behaviour = other(server)
    assert muniment("index", repo).code == 3
    server.behaviour = Behaviour()
    assert muniment("index", repo, "--json").json["embedded"] == 1
    assert muniment("search", "penguins", "--json").json["words_only"] == ""
