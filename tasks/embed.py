"""Embed: from texts to vectors, batch by batch, and the line of titles that goes before each text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muniment.embedders import Embedder
from muniment.embedders.changed import KnownText, check_model
from muniment.errors import ProviderError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MAX_BATCHES = 38
"""Each batch is one Prefect task run, and a full index stays under fifty of them."""
MIN_BATCH = 32
MAX_BATCH = 2_000
"""What a killed run, or a worker that is lost, has to compute again: about a minute. It makes more batches of more than
76,000 texts, whose embedding takes half an hour at least."""
CANARY = "A muniment is a document that is kept as evidence."
CONTEXT_CHARS = 160
"""The context line is cut here: it steers the vector, it must not crowd out the text."""


Read = Callable[["pa.Table"], Mapping[str, str]]
"""From rows of what waits to the texts by the hash that their vectors are kept under."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts to embed in one go, with the hashes their vectors are kept under."""

    embedder: Embedder = field(repr=False)
    hashes: tuple[str, ...]
    texts: tuple[str, ...] = field(repr=False)
    number: int
    """From 1."""
    of: int
    """How many batches there are."""
    known: KnownText | None = field(default=None, repr=False)
    """What the model must still make of a text; None where it can't have changed."""

    def __str__(self) -> str:
        return f"batch {self.number} of {self.of}"


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


def embed_known(embedder: Embedder) -> KnownText:
    """A text to tell a changed model by, where none is known from before. Raises what `embed` raises."""
    return KnownText(CANARY, embedder.embed([CANARY])[0])


def known_text(rows: pa.Table) -> KnownText | None:
    """The shortest text of chunks with their vectors, of the columns context, text and vector; None of no rows."""
    if not rows.num_rows:
        return None
    texts = [embedded_text(**row) for row in rows.select(["context", "text"]).to_pylist()]
    shortest = min(range(len(texts)), key=lambda place: len(texts[place]))
    return KnownText(texts[shortest], rows["vector"][shortest].values.to_numpy(zero_copy_only=False))


def cut_batches(embedder: Embedder, waiting: pa.Table, read: Read, known: KnownText | None = None) -> Iterator[Batch]:
    """The texts of `waiting` in `MAX_BATCHES` batches or fewer, or in the largest there are, in the order of its rows.

    A text is read when its batch is asked for, so that memory does not grow with the number of texts.
    """
    size = min(MAX_BATCH, max(MIN_BATCH, -(-waiting.num_rows // MAX_BATCHES)))
    starts = range(0, waiting.num_rows, size)
    for number, start in enumerate(starts, 1):
        texts = read(waiting.slice(start, size))
        yield Batch(embedder, tuple(texts), tuple(texts.values()), number, len(starts), known)


def embed_batch(batch: Batch) -> Embedded:
    """The vectors of a batch; a text that the model can't take costs only itself.

    Raises ProviderUnavailable when the endpoint does not answer, ProviderReply when it can serve no text at all, and
    ModelChanged when it no longer has the model of the known text: each names the batch.
    """
    from muniment.embedders.partial import embed_each

    try:
        partial = embed_each(batch.embedder, list(batch.texts))
        if batch.known:  # last, so that a model that was changed while the batch was embedded spoils it
            check_model(batch.embedder, batch.known)
    except ProviderError as error:
        raise type(error)(f"{batch}: {error.message}", error.hint) from error
    return Embedded(
        tuple(batch.hashes[place] for place in partial.kept),
        partial.vectors,
        {batch.hashes[place]: f"{batch}: {why}" for place, why in partial.failures.items()},
    )
