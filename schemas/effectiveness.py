"""What evaluating the assembly log returns: how much of what was gathered was used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

By = Literal["type", "kind", "section"]
BYS: tuple[By, ...] = get_args(By)
Trend = Literal["up", "down", "no clear change", "not enough data"]
ENOUGH = 20
"""Assemblies under which no ratio is given."""
SAMPLES = 5
"""Unreadable lines that are named."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that could not be read. Its text is never kept."""

    file: str
    line: int
    """From 1."""
    reason: str


@dataclass(frozen=True, slots=True)
class Effect:
    """How much of what was gathered of one type, kind or section was used."""

    by: By
    name: str
    assemblies: int
    """How many gathered at least one such chunk: the sample size."""
    assembled: int
    """Chunks gathered."""
    used: int
    """Of them, cited or reported as used."""
    ratio: float | None
    """used / assembled; None under ENOUGH assemblies."""
    low: float | None
    """Lower end of its 95 % Wilson interval."""
    high: float | None
    before: float | None
    """The ratio that was known when the window before ended; None without enough data there."""
    trend: Trend


@dataclass(frozen=True, slots=True)
class EffectivenessReport:
    """One evaluation of the assembly log."""

    window_hours: int
    since: datetime
    """The window begins after this moment."""
    until: datetime
    """And ends with this one, in UTC."""
    assemblies: int
    assembled: int
    used: int
    effects: tuple[Effect, ...]
    """By type, then kind, then section; the most used first, those without enough data last."""
    lines: int
    """Lines looked at, blank ones included."""
    unreadable: int
    samples: tuple[Unreadable, ...]
    """The first few of the unreadable lines."""

    def of(self, by: By) -> tuple[Effect, ...]:
        """The effects of one grouping, in their order."""
        return tuple(effect for effect in self.effects if effect.by == by)
