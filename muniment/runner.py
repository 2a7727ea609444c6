"""How a step is run: the protocol that flows call, and the runner that calls the step right here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ParamSpec, Protocol, TypeVar

from muniment.errors import MunimentError

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

ATTEMPTS = 3
FIRST_WAIT_S = 0.2


class Runner(Protocol):
    """Runs steps, trying again where the error says that this can help."""

    def __call__(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the step returns. Transient errors are retried, all others and the last one propagate."""
        ...

    def each(self, step: Callable[[A], T], batches: Iterable[A]) -> Iterator[T]:
        """What the step returns for each batch, in order; each batch is retried on its own."""
        ...


def is_transient(error: BaseException) -> bool:
    """Whether trying the same step again can help."""
    return isinstance(error, MunimentError) and error.transient


@dataclass(frozen=True, slots=True)
class Direct:
    """Runs each step in this process, in order."""

    first_wait_s: float = FIRST_WAIT_S

    def __call__(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the step returns, after at most three attempts."""
        import stamina
        from stamina.instrumentation import set_on_retry_hooks

        set_on_retry_hooks([])  # by default it logs a bare word to stderr for every retry
        # `on` takes only Exception, so that an interrupt is never retried.
        for attempt in stamina.retry_context(on=is_transient, attempts=ATTEMPTS, wait_initial=self.first_wait_s):
            with attempt:
                return step(*args, **kwargs)
        raise AssertionError("unreachable")  # pragma: no cover - retry_context returns or raises

    def each(self, step: Callable[[A], T], batches: Iterable[A]) -> Iterator[T]:
        """What the step returns for each batch, one after the other."""
        for batch in batches:
            yield self(step, batch)
