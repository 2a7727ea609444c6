"""A repository that takes two batches, a server of vectors for it, and what its index really holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pytest

from muniment.store.reader import open_reader
from tasks.embed import embedded_text
from tests.conftest import make_repo
from tests.muniment.embedders.servers import Dialect, EmbeddingServer, hash_vector
from tests.muniment.endpoints.faults import LONG

SHORT, LONGER = 32, 8
"""Texts of the first batch, and of the second one."""


@pytest.fixture(params=["ollama", "openai"])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Each wire format in turn."""
    chosen: Dialect = request.param
    return chosen


@pytest.fixture
def server(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """A well-behaved server, and settings that use it."""
    with EmbeddingServer(dialect) as running:
        chosen = {"NAME": dialect, "MODEL": "tiny", "URL": running.url, "DIMENSION": "8", "TIMEOUT_S": "20"}
        for key, value in chosen.items():
            monkeypatch.setenv(f"MUNIMENT_EMBEDDER__{key}", value)
        yield running


@pytest.fixture
def elsewhere(dialect: Dialect) -> Iterator[EmbeddingServer]:
    """A second one, which nobody should ever talk to."""
    with EmbeddingServer(dialect) as running:
        yield running


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {f"{n}.md": f"# Part {n}\n\nAbout number{n}.\n" for n in range(SHORT)}
    files |= {f"{n}.md": f"# Part {n}\n\nAbout number{n}, {LONG}.\n" for n in range(SHORT, SHORT + LONGER)}
    return make_repo(tmp_path / "repo", files)


@dataclass(frozen=True)
class Held:
    """What the tables of a home hold."""

    right: set[str]
    """Paths of chunks whose vector is the well-behaved server's."""
    pending: set[str]
    wrong: set[str]
    """Paths of chunks with any other vector."""
    cached: int
    """Vectors kept for later."""
    wrongly_cached: int


def held(home: Path, turned: bool = False) -> Held:
    """What is held now, of a server whose vectors are as they are, or turned around."""
    with open_reader(home / "index") as reader:
        rows = reader.chunks(["path", "context", "text", "embed_hash", "vector"]).to_pylist()
    expected = {row["path"]: _vector(row, turned) for row in rows}
    vectors = {row["path"]: row["vector"] for row in rows}
    right = {path for path, vector in vectors.items() if vector and np.allclose(vector, expected[path], atol=1e-6)}
    pending = {path for path, vector in vectors.items() if vector is None}
    by_hash = {row["embed_hash"]: expected[row["path"]] for row in rows}
    cached = _cached(home)
    spoilt = [row for row in cached if not np.allclose(row["vector"], by_hash[row["embed_hash"]], atol=1e-6)]
    return Held(right, pending, set(vectors) - right - pending, len(cached), len(spoilt))


def _vector(row: dict[str, Any], turned: bool) -> list[float]:
    vector = hash_vector(embedded_text(row["context"], row["text"]), 8)
    return vector[::-1] if turned else vector


def _cached(home: Path) -> list[dict[str, Any]]:
    db = lancedb.connect(home / "index" / "tables")
    (name,) = [name for name in db.list_tables().tables if name.startswith("embeddings_")]
    rows: list[dict[str, Any]] = db.open_table(name).to_arrow().to_pylist()
    return rows
