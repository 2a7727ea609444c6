"""Token vectors of the bundled model, from which evidence is weighed."""

import numpy as np

from muniment.embedders.bundled import MAX_TOKENS, BundledEmbedder

TEXTS = ["The heron prints labels.", "One line", "word " * 400, "It keeps 87 copies of the archive."]


def test_each_token_has_a_unit_vector() -> None:
    embedder = BundledEmbedder(threads=2)
    for text, tokens in zip(TEXTS, embedder.embed_tokens(TEXTS), strict=True):
        assert len(tokens) == min(embedder.count_tokens([text])[0], MAX_TOKENS) - 2
        np.testing.assert_allclose(np.linalg.norm(tokens, axis=1), 1.0, atol=1e-5)


def test_tokens_are_the_same_in_any_company() -> None:
    embedder = BundledEmbedder(threads=1)
    together = embedder.embed_tokens(TEXTS)
    for text, tokens in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(embedder.embed_tokens([text])[0], tokens, atol=1e-5)


def test_a_text_without_tokens_has_no_vectors() -> None:
    assert [len(tokens) for tokens in BundledEmbedder(threads=1).embed_tokens(["\u200b", "word"])] == [0, 1]
