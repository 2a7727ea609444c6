"""The embed step of a flow: texts that wait go out batch by batch, and each vector is kept as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from muniment.runner import Runner
from tasks.embed import Embedded, cut_batches, embed_batch, embed_known, known_text
from tasks.upsert import read_texts

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.embedders import Embedder
    from muniment.store.writer import Writer


def embed_waiting(waiting: pa.Table, embedder: Embedder, writer: Writer, run: Runner) -> Iterator[Embedded]:
    """What each batch of the texts of `find_waiting` came to, once its vectors are kept.

    Raises ProviderError; vectors that were computed before are kept.
    """
    known = None
    if waiting.num_rows and not embedder.fixed:
        known = known_text(writer.embedded()) or run(embed_known, embedder)
    for done in run.each(embed_batch, cut_batches(embedder, waiting, partial(read_texts, writer), known)):
        writer.remember(done.hashes, done.vectors)
        yield done
