"""What checking the data came to: one outcome per expectation, and the verdict over all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["blocking", "warning"]

NO_VALUE = "no value"
"""How an offender's value reads where it has none."""
SAMPLED = 5
"""An outcome names at most so many offenders."""


@dataclass(frozen=True, slots=True)
class Offender:
    """A row that does not meet an expectation."""

    key: str
    place: str
    """Where a person looks for it: `docs/restore.md:3-9`."""
    value: str
    """What was seen in the column that the expectation is about."""

    @property
    def telling(self) -> bool:
        """Whether the value says more than that the expectation does not hold."""
        return self.value not in {"false", NO_VALUE}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one expectation."""

    table: str
    name: str
    severity: Severity
    says: str
    ok: bool
    rows: int
    """Rows looked at."""
    unexpected: int = 0
    """Rows that do not meet it."""
    sample: tuple[Offender, ...] = ()
    """The first of them, at most `SAMPLED`."""
    broken: str = ""
    """Why the expectation itself could not be checked; then it is not ok, whatever the data."""

    @property
    def observed(self) -> str:
        """What was found, in words: how many rows do not meet it, and the first value that tells something."""
        if self.broken:
            return f"could not be checked: {self.broken}"
        first = next((f", first {one.value}" for one in self.sample if one.telling), "")
        return f"{self.unexpected} of {self.rows} rows{first}"


@dataclass(frozen=True, slots=True)
class QualityReport:
    """Everything that was expected of the tables, and whether it holds."""

    checked_at: str
    """ISO 8601, UTC."""
    outcomes: tuple[Outcome, ...]
    """In the order of `schemas.expectations`."""
    generation: int = 0
    """The published generation that was looked at; 0 for tables that are not published yet."""
    rows: Mapping[str, int] = field(default_factory=dict)
    """Table -> rows; a table that is not here was not there to be checked."""

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The expectations that are not met, the blocking ones first."""
        return (*self.blocking, *(one for one in self.outcomes if not one.ok and one.severity != "blocking"))

    @property
    def blocking(self) -> tuple[Outcome, ...]:
        """Those of them that keep a generation from being published."""
        return tuple(one for one in self.outcomes if not one.ok and one.severity == "blocking")

    @property
    def ok(self) -> bool:
        """Whether every expectation is met."""
        return not self.failed

    @property
    def verdict(self) -> str:
        """One line that says it all."""
        if self.ok:
            return f"good: all {len(self.outcomes)} expectations hold"
        severe, warnings = len(self.blocking), len(self.failed) - len(self.blocking)
        counted = ((severe, "blocking"), (warnings, "warning" if warnings == 1 else "warnings"))
        told = ", ".join(f"{count} {what}" for count, what in counted if count)
        return f"not good: {len(self.failed)} of {len(self.outcomes)} expectations do not hold ({told})"
