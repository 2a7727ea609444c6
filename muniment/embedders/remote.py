"""What every embedder behind an HTTP endpoint does alike; how one is asked is its member's own."""

from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Any

from muniment.embedders import EmbedderChoice, Role, Vectors
from muniment.embedders.endpoint import BatchCorrupted
from muniment.embedders.fingerprint import spell_fingerprint
from muniment.embedders.known import find_model, plain_name
from muniment.embedders.text import cut_to_tokens, encodable, estimate_tokens
from muniment.endpoints.endpoint import Endpoint, TextTooLong

Ask = Callable[[Endpoint, list[str], dict[str, Any]], Awaitable[object]]
"""Sends texts with the client options given, and returns the rows of the answer, unchecked but in order."""

CANARY = "The backup runs every night and keeps seven copies."
MIN_LIKENESS = 0.999
MIN_CHARS = 16


class RemoteEmbedder:
    """Prefixes, cuts, sends in batches, and checks what comes back."""

    fixed = False
    """A server may load another model under the same name."""

    def __init__(self, choice: EmbedderChoice, endpoint: Endpoint, ask: Ask) -> None:
        known = find_model(endpoint.model)
        self._endpoint = endpoint
        self._ask = ask
        self._batch = choice.batch
        self._prefixes: dict[Role, str] = {
            "document": known.document_prefix if choice.document_prefix is None else choice.document_prefix,
            "query": known.query_prefix if choice.query_prefix is None else choice.query_prefix,
        }
        self._dimension = choice.dimension or known.dimension
        self._max_tokens = choice.max_tokens or known.max_tokens
        self._lock = Lock()
        self._proven_batch = 1
        self._corrupts_batches = False

    def __str__(self) -> str:
        return self._endpoint.asked

    @property
    def fingerprint(self) -> str:
        """As the protocol says; its width reads `unknown` as long as `dimension` is 0."""
        model = plain_name(self._endpoint.model)
        rules = {f"{role} prefix": prefix for role, prefix in self._prefixes.items()}
        return spell_fingerprint(self._endpoint.name, model, self._dimension, self._max_tokens, rules)

    @property
    def dimension(self) -> int:
        """Width of a vector; 0 until the first answer where the settings and the table of models do not say."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """The model's window, prefix included."""
        return self._max_tokens

    def count_tokens(self, texts: list[str]) -> list[int]:
        """An upper estimate for each text as a document, prefix and special tokens included."""
        return [estimate_tokens(self._prefixes["document"] + text) for text in texts]

    def embed(self, texts: list[str], role: Role = "document") -> Vectors:
        """Unit vectors; a text over the window is cut by estimate, and halved if the endpoint still finds it too long.

        With no texts, the shape is (0, dimension) as far as that is known.
        """
        import numpy as np

        sent = [cut_to_tokens(self._prefixes[role] + encodable(text), self._max_tokens) for text in texts]
        parts = [self._fitting(sent[i : i + self._batch]) for i in range(0, len(sent), self._batch)]
        return np.concatenate(parts) if parts else np.empty((0, self._dimension), np.float32)

    def _fitting(self, texts: list[str]) -> Vectors:
        import numpy as np

        try:
            return self._with_canary(texts)
        except TextTooLong:
            if len(texts) > 1:
                middle = len(texts) // 2
                return np.concatenate([self._fitting(texts[:middle]), self._fitting(texts[middle:])])
            if len(texts[0]) < MIN_CHARS:
                raise
            return self._fitting([texts[0][: len(texts[0]) // 2]])

    def _with_canary(self, texts: list[str]) -> Vectors:
        """A batch larger than any before carries a sentence that is embedded alone as well.

        Servers have shuffled, emptied and degraded the vectors of a batch (ollama/ollama#6187, #6262).
        """
        if len(texts) <= self._proven_batch:
            return self._checked(texts)
        if not self._corrupts_batches:
            alone = self._checked([CANARY])[0]
            vectors = self._checked([*texts, CANARY])
            if float(alone @ vectors[-1]) >= MIN_LIKENESS:
                self._proven_batch = max(self._proven_batch, len(texts))
                return vectors[:-1]
            # For good: smaller batches could pass by luck.
            self._corrupts_batches = True
        raise BatchCorrupted(
            f"{self._endpoint.asked} gives a text another vector in a batch than alone",
            hint="set embedder.batch = 1, or update the server",
        )

    def _checked(self, texts: list[str]) -> Vectors:
        from muniment.embedders.validate import check_vectors
        from muniment.endpoints import wire

        rows = wire.call(self._endpoint, lambda options: self._ask(self._endpoint, texts, options))
        with self._lock:
            vectors = check_vectors(rows, len(texts), self._dimension, self._endpoint.asked)
            self._dimension = vectors.shape[1]
        return vectors
