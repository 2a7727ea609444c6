"""What every embedder that makes vectors must do; runs over the whole table."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import cast

import numpy as np
import pytest

from muniment.embedders import EMBEDDERS, Embedder, EmbedderChoice, make_embedder
from tests.muniment.embedders.servers import Dialect, EmbeddingServer

WITH_VECTORS = [name for name in EMBEDDERS if name != "none"]
TEXTS = [
    "A lock file keeps a second run from starting.",
    "RETRIES says how often a failed upload is tried again.",
    "Seven copies are kept.",
    "naïve café, 日本語, العربية, 👩‍🚀 and e\u0301",
    "",
    "x",
    "# " + "=" * 70,
    "The manual names every exit code. " * 30,
]


@pytest.fixture(scope="module", params=WITH_VECTORS)
def member(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    """Each member in turn, the remote ones against a loopback server."""
    name: str = request.param
    with ExitStack() as stack:
        choice = EmbedderChoice(name=name)
        if name != "bundled":
            server = stack.enter_context(EmbeddingServer(cast(Dialect, name)))
            choice = EmbedderChoice(name=name, model="nomic-embed-text", url=server.url, batch=3)
        yield make_embedder(choice)


def test_each_text_gets_a_unit_vector(member: Embedder) -> None:
    vectors = member.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), member.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_vectors_keep_the_order_of_texts(member: Embedder) -> None:
    order = random.Random(3).sample(range(len(TEXTS)), len(TEXTS))
    straight, shuffled = member.embed(TEXTS), member.embed([TEXTS[i] for i in order])
    np.testing.assert_allclose(shuffled, straight[order], atol=1e-5)
    assert (straight @ straight.T < 0.999).sum() == len(TEXTS) * (len(TEXTS) - 1)


def test_a_text_gets_the_same_vector_alone(member: Embedder) -> None:
    together = member.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(member.embed([text])[0], vector, atol=1e-5)


def test_a_run_can_be_repeated_to_the_bit(member: Embedder) -> None:
    np.testing.assert_array_equal(member.embed(TEXTS), member.embed(TEXTS))


def test_equal_texts_get_equal_vectors(member: Embedder) -> None:
    first, _, second = member.embed(["the same", "another", "the same"])
    np.testing.assert_allclose(first, second, atol=1e-5)


def test_no_texts_make_no_vectors(member: Embedder) -> None:
    assert member.embed([]).shape == (0, member.dimension)
    assert member.count_tokens([]) == []


def test_half_a_character_is_no_obstacle(member: Embedder) -> None:
    np.testing.assert_allclose(member.embed(["caf\udce9"]), member.embed(["caf?"]), atol=1e-5)


def test_what_lies_past_the_window_is_not_read(member: Embedder) -> None:
    long = "The manual names every exit code. " * 3_000
    assert member.count_tokens([long])[0] > member.max_tokens
    np.testing.assert_allclose(member.embed([long])[0], member.embed([long + "Quite another ending."])[0], atol=1e-5)


def test_tokens_are_counted_text_by_text(member: Embedder) -> None:
    counts = member.count_tokens(["", "one", "one two three four five six"])
    assert counts == sorted(counts)
    assert counts[0] < counts[1] < counts[2] < member.max_tokens


def test_threads_may_share_an_embedder(member: Embedder) -> None:
    alone = member.embed(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(member.embed, [TEXTS] * 4):
            np.testing.assert_allclose(vectors, alone, atol=1e-5)


def test_the_fingerprint_outlives_use(member: Embedder) -> None:
    before = member.fingerprint
    member.embed(TEXTS[:1])
    assert member.fingerprint == before
    assert str(member.dimension) in before


def test_it_says_what_it_is_and_whether_that_can_change(member: Embedder) -> None:
    name = member.fingerprint.partition(":")[0]
    assert str(member).startswith(f"embedder '{name}'")
    assert member.fixed is (name == "bundled"), "only the bundled weights are known by their hash"
