"""An embedder as questions use it: given up for a while when it keeps people waiting, and not trusted blindly."""

from collections.abc import Callable
from time import monotonic

from muniment.embedders import Embedder, Role, Vectors
from muniment.embedders.changed import KnownText, check_model
from muniment.errors import ProviderError

TIMEOUT_S = 10.0
"""Words can answer instead, so no question waits longer for its vector."""
SLOW_S = 1.0
REST = 10
"""An endpoint that took longer to fail is left alone for so many times as long."""
LONGEST_REST_S = 60.0
TRUSTED_S = 60.0
"""So long after the endpoint showed that it has the index's model, it is not asked to show it again."""


class QuestionEmbedder:
    """Embeds questions with another embedder; for any number of threads."""

    def __init__(self, inner: Embedder, known: KnownText | None, clock: Callable[[], float] = monotonic) -> None:
        self._inner = inner
        self._known = known
        self._clock = clock
        self._trusted_until = self._resting_until = -1.0
        self._fault: ProviderError | None = None

    def __str__(self) -> str:
        return str(self._inner)

    @property
    def fingerprint(self) -> str:
        """The inner one's."""
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        """The inner one's."""
        return self._inner.dimension

    @property
    def max_tokens(self) -> int:
        """The inner one's."""
        return self._inner.max_tokens

    @property
    def fixed(self) -> bool:
        """The inner one's."""
        return self._inner.fixed

    def count_tokens(self, texts: list[str]) -> list[int]:
        """As the inner one counts."""
        return self._inner.count_tokens(texts)

    def embed(self, texts: list[str], role: Role = "document") -> Vectors:
        """As the inner one; raises ModelChanged too, and while an endpoint rests, what it raised last."""
        began = self._clock()
        fault = self._fault
        if fault and began < self._resting_until:
            raise type(fault)(fault.message, fault.hint)
        try:
            if self._known and began >= self._trusted_until:
                check_model(self._inner, self._known)
                self._trusted_until = began + TRUSTED_S
            return self._inner.embed(texts, role)
        except ProviderError as error:
            now = self._clock()
            if now - began >= SLOW_S:
                self._fault, self._resting_until = error, now + min(REST * (now - began), LONGEST_REST_S)
            raise
