"""Claims: what documents, headers and comments say the value of an option is."""

from collections.abc import Callable, Iterator, Mapping

from schemas.claims import Claim
from tasks.drift.tree import TextFile

Shape = Callable[[TextFile], Iterator[Claim]]

SHAPES: Mapping[str, Shape] = {}
"""Name -> what recognises it. Each is one file."""


def find_claims(file: TextFile) -> tuple[Claim, ...]:
    """The claims of one file, by line; of two shapes that see the same value, the first in the table has it."""
    raise NotImplementedError
