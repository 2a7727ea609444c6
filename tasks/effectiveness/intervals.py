"""Intervals of shares, and what two of them say of a change."""

from __future__ import annotations

from math import hypot, sqrt
from typing import NamedTuple

from schemas.effectiveness import Trend

# Normal quantile of 97.5 %. The formulas stand here because scipy, which has them, takes 0.7 s to import.
_Z = 1.959963984540054


class Share(NamedTuple):
    """A part of a whole, with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(used: int, assembled: int) -> Share:
    """The share and its Wilson score interval (E. B. Wilson 1927), without continuity correction.

    Raises ZeroDivisionError where nothing was assembled.
    """
    value = used / assembled
    spread = _Z * _Z / assembled
    middle = (value + spread / 2) / (1 + spread)
    half = sqrt(spread * (value * (1 - value) + spread / 4)) / (1 + spread)
    return Share(value, max(0.0, middle - half), min(1.0, middle + half))


def change(now: Share, before: Share) -> Trend:
    """`up` or `down` where the 95 % interval of the difference leaves zero out.

    It is made of the two intervals (R. G. Newcombe 1998, method 10): asking that they don't overlap would be too much.
    """
    difference = now.value - before.value
    if difference - hypot(now.value - now.low, before.high - before.value) > 0:
        return "up"
    if difference + hypot(now.high - now.value, before.value - before.low) < 0:
        return "down"
    return "no clear change"
