"""The embedder that makes no vectors, for lexical search alone."""

from muniment.embedders import Embedder, EmbedderChoice, Role, Vectors
from muniment.embedders.text import estimate_tokens
from muniment.errors import ProviderError


class NoEmbedder:
    """No vectors: a caller that sees dimension 0 and this fingerprint never asks for any."""

    fingerprint = "none"
    dimension = 0
    max_tokens = 1_000_000
    """There is no window; a chunker's own cap decides."""
    fixed = True

    def __str__(self) -> str:
        return "embedder 'none'"

    def count_tokens(self, texts: list[str]) -> list[int]:
        """An upper estimate, so that chunks fit most models that may come later."""
        return [estimate_tokens(text) for text in texts]

    def embed(self, texts: list[str], role: Role = "document") -> Vectors:  # noqa: ARG002
        """Raises ProviderError always."""
        raise ProviderError("embedder 'none' makes no vectors", hint="choose another with embedder.name")


def make(choice: EmbedderChoice) -> Embedder:  # noqa: ARG001
    """The embedder without vectors."""
    return NoEmbedder()
