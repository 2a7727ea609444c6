"""What a surface returns for a search and a question: what was found, and the assembly that it is logged as."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.answers import Results
from schemas.cited import Answer
from schemas.records import TotalAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched(Results):
    """A search as it is shown."""

    assembly: str
    """Its id in the log, by which feedback names it."""
    elapsed_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Answer):
    """An answer as it is shown."""

    assembly: str
    """Its id in the log, by which feedback names it."""
    elapsed_ms: float
    total: TotalAnswer | None = None
    """Where the question is of amounts: the sums, and what became of each document."""
