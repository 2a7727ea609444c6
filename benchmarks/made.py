"""Made-up documents in any number: words as rare and as frequent as in prose, vectors that lie in clusters."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.columns import CHUNKS, DOCUMENTS, arrow_schema
from tasks.identify import doc_id

DIMENSION = 384
CHUNKS_EACH = 10
WORDS = 60_000
WORDS_EACH = 80
CLUSTERS = 500
LATENT = 32
"""Vectors of a model of this width vary in about so many directions."""
Vectors = NDArray[np.float32]


class Made:
    """Documents by number: the same number is the same document, in an index of any size."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks
        random = np.random.default_rng(7)
        letters = np.array(list("abcdefghijklmnoprstuvwz"))
        self._words = np.array(["".join(random.choice(letters, random.integers(3, 10))) for _ in range(WORDS)])
        share = 1 / (np.arange(WORDS) + 2.7)
        self._cumulated = np.cumsum(share / share.sum())
        self._centres = random.standard_normal((CLUSTERS, LATENT), np.float32)
        self._spread = random.standard_normal((LATENT, DIMENSION), np.float32)

    def slice(self, first: int, last: int, *, edition: int = 1) -> tuple[pa.Table, pa.Table]:
        """Documents and chunks from one chunk's number to before another's."""
        numbers = range(first, last)
        random = np.random.default_rng([edition, first, 1])
        texts = self.texts(first, len(numbers), edition)
        rows = [_chunk(number, text) for number, text in zip(numbers, texts, strict=True)]
        chunks = pa.Table.from_pylist(rows, arrow_schema(CHUNKS))
        field = arrow_schema(CHUNKS, DIMENSION).field("vector")
        flat = pa.array(self._vectors(random, len(numbers)).reshape(-1))
        paths = list(dict.fromkeys(row["path"] for row in rows))
        documents = pa.Table.from_pylist([_document(str(path)) for path in paths], arrow_schema(DOCUMENTS))
        return documents, chunks.append_column(field, pa.FixedSizeListArray.from_arrays(flat, type=field.type))

    def texts(self, first: int, count: int, edition: int = 1) -> list[str]:
        """Passages of some eighty words; frequent words are as frequent as in prose."""
        random = np.random.default_rng([edition, first])
        drawn = np.searchsorted(self._cumulated, random.random((count, WORDS_EACH)))
        return [" ".join(self._words[row]) for row in np.minimum(drawn, WORDS - 1)]

    def question(self, number: int) -> tuple[str, Vectors]:
        """Three to eight words and a unit vector."""
        random = np.random.default_rng([99, number])
        picked = random.integers(50, 20_000, random.integers(3, 9))
        return " ".join(self._words[picked]), self._vectors(random, 1)[0]

    def _vectors(self, random: np.random.Generator, count: int) -> Vectors:
        centres = self._centres[random.integers(0, CLUSTERS, count)]
        latent = centres + random.standard_normal((count, LATENT), np.float32)
        vectors = latent @ self._spread + 0.5 * random.standard_normal((count, DIMENSION), np.float32)
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return unit


class Remembering:
    """Stands for the embedder: it knows the vector of every question, and takes no time."""

    fingerprint = "made"
    dimension = DIMENSION
    max_tokens = 256
    fixed = True

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self._vectors = vectors

    def count_tokens(self, texts: list[str]) -> list[int]:
        """As many as words."""
        return [len(text.split()) for text in texts]

    def embed(self, texts: list[str], role: str = "document") -> Vectors:  # noqa: ARG002
        """The vectors of questions that were made."""
        return np.stack([self._vectors[text] for text in texts])


def _document(path: str) -> dict[str, object]:
    digest = hashlib.sha256(path.encode()).hexdigest()
    return {
        "doc_id": doc_id("made", path),
        "source": "made",
        "path": path,
        "kind": "doc",
        "type": "doc",
        "title": path,
        "content_id": digest[:40],
        "sha256": digest,
        "size": 6_000,
        "mtime_ns": 0,
        "encoding": "utf-8",
        "sensitivity": "",
        "chunk_count": CHUNKS_EACH,
        "indexed_at": datetime(2026, 1, 1, tzinfo=UTC),
    }


def _chunk(number: int, text: str) -> dict[str, object]:
    path, place = f"docs/{number // CHUNKS_EACH:07d}.md", number % CHUNKS_EACH
    digest = hashlib.sha256(f"{number} {text}".encode()).hexdigest()
    return {
        "chunk_id": digest[:32],
        "doc_id": doc_id("made", path),
        "source": "made",
        "path": path,
        "kind": "doc",
        "type": "doc",
        "sensitivity": "",
        "section": f"Part {place}",
        "title": f"Part {place}",
        "heading_path": f"Part {place}",
        "ordinal": 0,
        "line_start": place * 12 + 1,
        "line_end": place * 12 + 10,
        "text": text,
        "text_hash": digest,
        "context": f"Document {number // CHUNKS_EACH} > Part {place}",
        "embed_hash": digest,
        "terms": f"{path} Part {place} {text}",
        "tokens": 120,
    }
