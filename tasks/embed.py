"""Embed: from texts to vectors, batch by batch, and the line of titles that goes before each text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muniment.embedders import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BATCHES = 40
"""Each batch is one Prefect task run, and a full index stays under fifty of them."""
MIN_BATCH = 32
CONTEXT_CHARS = 160
"""The context line is cut here: it steers the vector, it must not crowd out the text."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts to embed in one go, with the hashes their vectors are kept under."""

    embedder: Embedder = field(repr=False)
    hashes: tuple[str, ...]
    texts: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of one batch, and the texts that the model refused for good."""

    hashes: tuple[str, ...]
    vectors: NDArray[np.float32]
    failures: Mapping[str, str]
    """Hash -> what the provider said."""


def context_line(document_title: str, heading_path: tuple[str, ...]) -> str:
    """One line of titles that tells what the text is about, outermost first.

    Made of the document's own words only: with the path in it, a rename would have to be embedded again
    (docs/decisions/003).
    """
    parts = dict.fromkeys(part for part in (document_title, *heading_path) if part)
    return " > ".join(parts)[:CONTEXT_CHARS]


def embedded_text(context: str, text: str) -> str:
    """What the model reads for a chunk."""
    return f"{context}\n{text}" if context else text


def embed_hash(context: str, text: str) -> str:
    """The name a chunk's vector is kept under."""
    return hashlib.sha256(embedded_text(context, text).encode()).hexdigest()


def ask_dimension(embedder: Embedder) -> int:
    """How wide the endpoint's vectors are, by its answer. Raises what `embed` raises."""
    return int(embedder.embed(["dimension"]).shape[1])


def cut_batches(embedder: Embedder, texts: Mapping[str, str]) -> Iterator[Batch]:
    """The texts (by hash) in at most `MAX_BATCHES` batches, sorted by length so that a batch pads little."""
    ordered = sorted(texts.items(), key=lambda item: (len(item[1]), item[0]))
    size = max(MIN_BATCH, -(-len(ordered) // MAX_BATCHES))
    for start in range(0, len(ordered), size):
        hashes, wanted = zip(*ordered[start : start + size], strict=True)
        yield Batch(embedder, hashes, wanted)


def embed_batch(batch: Batch) -> Embedded:
    """The vectors of a batch; a text that the model can't take costs only itself.

    Raises ProviderUnavailable when the endpoint does not answer, ProviderReply when it can serve no text at all.
    """
    from muniment.embedders.partial import embed_each

    partial = embed_each(batch.embedder, list(batch.texts))
    return Embedded(
        tuple(batch.hashes[place] for place in partial.kept),
        partial.vectors,
        {batch.hashes[place]: why for place, why in partial.failures.items()},
    )
