"""Batches of texts: few of a small index, none that is much to lose of a large one, and each read when it is wanted."""

from typing import Any

import pyarrow as pa
import pytest

from muniment.embedders import EmbedderChoice, make_embedder
from tasks.embed import MAX_BATCH, MAX_BATCHES, MIN_BATCH, cut_batches

NONE = EmbedderChoice("none")


def waiting(count: int) -> pa.Table:
    return pa.table({"embed_hash": [f"h{number}" for number in range(count)]})


def read(rows: pa.Table) -> dict[str, str]:
    hashes: list[Any] = rows["embed_hash"].to_pylist()
    return dict.fromkeys(hashes, "x")


@pytest.mark.parametrize("count", [1, 31, 32, 33, 1_500, 75_999, 76_001, 120_000])
def test_every_text_is_in_one_batch(count: int) -> None:
    batches = list(cut_batches(make_embedder(NONE), waiting(count), read))
    assert [hashed for batch in batches for hashed in batch.hashes] == waiting(count)["embed_hash"].to_pylist()
    sizes = [len(batch.texts) for batch in batches]
    assert max(sizes) <= MAX_BATCH
    assert len(batches) <= max(MAX_BATCHES, -(-count // MAX_BATCH))
    assert all(size >= MIN_BATCH for size in sizes[:-1])


def test_texts_are_read_batch_by_batch() -> None:
    rows_read: list[int] = []

    def counted(rows: pa.Table) -> dict[str, str]:
        rows_read.append(rows.num_rows)
        return read(rows)

    batches = cut_batches(make_embedder(NONE), waiting(10_000), counted)
    next(batches)
    assert rows_read == [264]
    next(batches)
    assert rows_read == [264, 264]
