"""Values: whether a documented value and a real one are the same, and what is no value at all."""

from typing import NamedTuple

from schemas.claims import Truth, Verdict


class Compared(NamedTuple):
    """What comparing two values came to."""

    verdict: Verdict
    reason: str
    """Which equality held (`durations`, `switches`, ...), or why nothing can be said."""


def compare(documented: str, truth: Truth) -> Compared:
    """Whether a documented value is the truth's. When in doubt, unknown."""
    raise NotImplementedError


def is_value(documented: str) -> bool:
    """Whether the words of a document name one definite value: no placeholder, range, choice or description."""
    raise NotImplementedError
