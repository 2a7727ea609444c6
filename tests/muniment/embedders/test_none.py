"""The embedder that makes no vectors."""

import pytest

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.errors import ProviderError


def test_no_vectors_are_a_choice_like_any_other() -> None:
    embedder = make_embedder(EmbedderChoice("none"))
    assert (embedder.fingerprint, embedder.dimension) == ("none", 0)
    assert embedder.count_tokens(["one two three"]) == [6]


def test_asking_for_vectors_all_the_same_is_an_error() -> None:
    with pytest.raises(ProviderError, match="makes no vectors") as caught:
        make_embedder(EmbedderChoice("none")).embed(["x"])
    assert not caught.value.transient
