"""Vectors in the index flow: what is embedded, what is not, and what happens when the embedder misbehaves."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import read_current
from muniment.store.reader import open_reader
from muniment.store.writer import write_lock
from tests.conftest import commit_all, git, make_repo, write
from tests.muniment.embedders.servers import EmbeddingServer, Handler


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(
        tmp_path / "repo", {f"{name}.md": f"# {name}\n\nAll about {name}.\n" for name in ("alpha", "beta", "gamma")}
    )


def vectors(home: Path) -> dict[str, list[float] | None]:
    with open_reader(home / "index") as reader:
        rows = reader.chunks(["path", "vector"]).to_pylist()
    return {row["path"]: row["vector"] for row in rows}


def sent(server: EmbeddingServer) -> int:
    return sum(len(request.texts) for request in server.received)


def test_every_chunk_gets_its_vector(muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path) -> None:
    ran = muniment("index", repo, "--json")
    assert (ran.code, ran.json["embedded"], ran.json["pending"]) == (0, 3, 0)
    assert all(vector and len(vector) == 8 for vector in vectors(own_place).values())


def test_a_rename_embeds_nothing(muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path) -> None:
    muniment("index", repo)
    before = vectors(own_place)["alpha.md"]
    server.received.clear()
    (repo / "docs").mkdir()
    git(repo, "mv", "alpha.md", "docs/omega.md")
    commit_all(repo)
    assert muniment("index", repo, "--json").json["embedded"] == 0
    assert vectors(own_place)["docs/omega.md"] == before
    assert sent(server) == 0


def test_a_second_checkout_embeds_nothing(muniment: Any, repo: Path, server: EmbeddingServer, tmp_path: Path) -> None:
    muniment("index", repo)
    server.received.clear()
    git(tmp_path, "clone", "-q", str(repo), "twin")
    assert muniment("index", tmp_path / "twin", "--json").json["embedded"] == 0
    assert sent(server) == 0


def test_undoing_an_edit_embeds_nothing(muniment: Any, repo: Path, server: EmbeddingServer) -> None:
    muniment("index", repo)
    write(repo, {"alpha.md": "# alpha\n\nSomething else.\n"})
    commit_all(repo)
    assert muniment("index", repo, "--json").json["embedded"] == 1
    git(repo, "revert", "--no-edit", "HEAD")
    server.received.clear()
    assert muniment("index", repo, "--json").json["embedded"] == 0
    assert sent(server) == 0


def test_a_rebuild_embeds_nothing(muniment: Any, repo: Path, server: EmbeddingServer) -> None:
    muniment("index", repo)
    server.received.clear()
    ran = muniment("index", repo, "--force", "--json")
    assert (ran.json["chunks_written"], ran.json["from_cache"], ran.json["embedded"]) == (3, 3, 0)
    assert sent(server) == 1, "one text tells that the model is still the same"


def test_the_same_text_is_embedded_once(
    muniment: Any, tmp_path: Path, server: EmbeddingServer, own_place: Path
) -> None:
    repo = make_repo(tmp_path / "r", {f"{n}/README.md": "# Same\n\nThe same words.\n" for n in range(5)})
    assert muniment("index", repo, "--json").json["embedded"] == 1
    assert all(vectors(own_place).values())


def test_words_are_published_before_vectors(
    muniment: Any, tmp_path: Path, server: EmbeddingServer, own_place: Path
) -> None:
    """While the first text is being embedded, a search already answers."""
    repo = make_repo(tmp_path / "r", {f"{n}.md": f"# Part {n}\n\nAbout number{n}.\n" for n in range(80)})
    seen: list[tuple[int, int, int]] = []

    def look(texts: list[str]) -> None:
        if not any("number" in text for text in texts):
            return  # asked for its width, before there is an index
        with open_reader(own_place / "index") as reader:
            from muniment.store.reader import Filter

            found = reader.match("number7", Filter(), 5, ["path"])
            seen.append((reader.generation.number, reader.generation.pending, found.num_rows))

    server.behaviour.refuse = look
    ran = muniment("index", repo, "--json")
    assert ran.json["published"] == [1, 2]
    assert ran.json["pending"] == 0
    assert seen[0] == (1, 80, 1)


def dead(server: EmbeddingServer) -> None:
    server.behaviour.refuse = lambda texts: (503, "overloaded")


def lost(server: EmbeddingServer) -> None:
    server.behaviour.refuse = lambda texts: (404, "model not found")


def short(server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: vectors[:-1]


def zero(server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [[0.0] * 8 for _ in texts]


def nan(server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [[float("nan")] * 8 for _ in texts]


def wide(server: EmbeddingServer) -> None:
    server.behaviour.spoil = lambda texts, vectors: [[*vector, 0.5] for vector in vectors]


def reset(server: EmbeddingServer) -> None:
    server.behaviour.instead = Handler.reset


@pytest.mark.parametrize("fault", [dead, lost, short, zero, nan, wide, reset])
def test_a_bad_embedder_never_costs_the_words(
    muniment: Any,
    repo: Path,
    server: EmbeddingServer,
    own_place: Path,
    fault: Callable[[EmbeddingServer], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER__DIMENSION", "8")
    fault(server)
    ran = muniment("index", repo)
    assert ran.code == 3
    assert "note: 3 of 3 chunks wait for their vectors: " in ran.err
    assert "embedder 'openai' at 'http://127.0.0.1:" in ran.err
    assert set(vectors(own_place).values()) == {None}
    found = muniment("search", "alpha", "--mode", "lexical", "--json").json
    assert found["hits"][0]["path"] == "alpha.md"
    assert found["pending"] == 3
    server.behaviour = type(server.behaviour)()
    again = muniment("index", repo, "--json")
    assert (again.code, again.json["embedded"], again.json["pending"]) == (0, 3, 0)
    assert all(vectors(own_place).values())


def test_an_unknown_width_is_learned_later(muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path) -> None:
    """The endpoint was down when the index was first made, so nobody knew how wide its vectors are."""
    dead(server)
    ran = muniment("index", repo)
    assert ran.code == 3
    assert "3 of 3 chunks wait" in ran.err
    server.behaviour = type(server.behaviour)()
    again = muniment("index", repo, "--json")
    assert (again.code, again.json["embedded"], again.json["pending"]) == (0, 3, 0)
    dead(server)
    write(repo, {"delta.md": "# delta\n\nNew.\n"})
    commit_all(repo)
    third = muniment("index", repo, "--json")
    assert (third.code, third.json["pending"], third.json["chunks"]) == (3, 1, 4)


def test_one_bad_text_costs_only_itself(muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path) -> None:
    server.behaviour.refuse = lambda texts: (500, "unsupported value: NaN") if any("beta" in t for t in texts) else None
    ran = muniment("index", repo, "--json")
    assert (ran.code, ran.json["embedded"], ran.json["pending"]) == (3, 2, 1)
    assert {path for path, vector in vectors(own_place).items() if vector is None} == {"beta.md"}


def test_another_embedder_is_refused_by_name(
    muniment: Any, repo: Path, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    muniment("index", repo)
    monkeypatch.setenv("MUNIMENT_EMBEDDER__MODEL", "nomic-embed-text")
    for command in (("index", repo), ("search", "alpha")):
        ran = muniment(*command)
        assert ran.code == 12
        assert "tiny" in ran.err
        assert "nomic-embed-text" in ran.err
        assert "muniment index --force" in ran.err
    assert muniment("search", "alpha", "--mode", "lexical").code == 0
    assert muniment("index", repo, "--force", "--json").json["embedded"] == 3
    assert muniment("search", "alpha").code == 0


def test_text_leaves_the_machine_only_when_told_so(
    muniment: Any, repo: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in {"NAME": "openai", "MODEL": "m", "URL": "http://192.0.2.1"}.items():
        monkeypatch.setenv(f"MUNIMENT_EMBEDDER__{key}", value)
    ran = muniment("index", repo)
    assert ran.code == 4
    assert "egress_ack" in ran.err


def test_a_killed_run_leaves_the_old_generation(
    muniment: Any, repo: Path, server: EmbeddingServer, own_place: Path
) -> None:
    """Killed while the second batch is being embedded: the first batch's vectors are not computed again."""
    muniment("index", repo)
    old = read_current(own_place / "index")
    write(repo, {f"{n}.md": f"# Part {n}\n\nAbout number{n}.\n" for n in range(70)})
    commit_all(repo)
    child = subprocess.Popen(
        [sys.executable, "-m", "muniment", "index", str(repo)], env=os.environ, stdout=subprocess.DEVNULL
    )
    batches = 0

    def kill(texts: list[str]) -> None:
        nonlocal batches
        batches += len(texts) >= 16  # smaller requests only try the server out
        if batches == 2:
            os.kill(child.pid, signal.SIGKILL)

    server.behaviour.refuse = kill
    assert child.wait(120) == -signal.SIGKILL
    words = read_current(own_place / "index")
    assert old
    assert words
    assert words.number == old.number + 1
    assert words.pending == 70
    assert muniment("search", "number7", "--mode", "lexical", "--json").json["hits"][0]["path"] == "7.md"
    server.behaviour.refuse = lambda texts: None
    server.received.clear()
    again = muniment("index", repo, "--json")
    assert (again.code, again.json["pending"]) == (0, 0)
    assert 0 < again.json["embedded"] < 70


def _hold_lock(index: Path, holding: Any, done: Any) -> None:
    with write_lock(index):
        holding.set()
        done.wait(60)


def test_a_second_run_is_busy(muniment: Any, repo: Path, own_place: Path, words_only: None) -> None:
    muniment("index", repo)
    commit_all(repo)
    spawn = multiprocessing.get_context("spawn")
    holding, done = spawn.Event(), spawn.Event()
    other = spawn.Process(target=_hold_lock, args=(own_place / "index", holding, done))
    other.start()
    assert holding.wait(60)
    ran = muniment("index", repo)
    done.set()
    other.join(60)
    assert ran.code == 75
    assert ran.err.startswith("error: another run is writing the index at ")
    assert len(ran.err.splitlines()) == 2
