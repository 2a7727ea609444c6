"""Truths: the values that templates, scripts and code really give their options."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from schemas.claims import Truth
from tasks.drift.tree import TextFile


@dataclass(frozen=True, slots=True)
class TruthReader:
    """One form that truths are written in."""

    name: str
    reads: Callable[[TextFile], bool]
    read: Callable[[TextFile], Iterator[Truth]]
    """The truths of one file, by line. Never raises: a file that can't be parsed has none."""


READERS: tuple[TruthReader, ...] = ()
"""In the order in which they win over one another. Each is one file."""


def read_truths(file: TextFile) -> tuple[Truth, ...]:
    """The truths of one file, by line, from every reader that reads it."""
    raise NotImplementedError
