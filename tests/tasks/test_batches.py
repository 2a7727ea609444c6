"""Batches of texts: few of a small index, none that is much to lose of a large one."""

import pytest

from muniment.embedders import EmbedderChoice, make_embedder
from tasks.embed import MAX_BATCH, MAX_BATCHES, MIN_BATCH, cut_batches


@pytest.mark.parametrize("count", [1, 31, 32, 33, 1_500, 75_999, 76_001, 120_000])
def test_every_text_is_in_one_batch(count: int) -> None:
    texts = {f"h{number}": "x" * (number % 7) for number in range(count)}
    batches = list(cut_batches(make_embedder(EmbedderChoice("none")), texts))
    assert sorted(hashed for batch in batches for hashed in batch.hashes) == sorted(texts)
    sizes = [len(batch.texts) for batch in batches]
    assert max(sizes) <= MAX_BATCH
    assert len(batches) <= max(MAX_BATCHES, -(-count // MAX_BATCH))
    assert all(size >= MIN_BATCH for size in sizes[:-1])
