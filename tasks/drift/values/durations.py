"""Durations: `86400` is `24h` is `1 day`, and a bare number has the unit that its option's name carries."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import re2

from schemas.claims import Verdict
from tasks.drift.values.numbers import NUMBER, number_of
from tasks.drift.values.units import ROUGH, SECONDS, named_seconds

_UNIT = "|".join(sorted(map(re2.escape, SECONDS), key=len, reverse=True))
_PART = re2.compile(rf"({NUMBER})\s?-?({_UNIT})")
_WHOLE = re2.compile(rf"(?:{NUMBER}\s?-?(?:{_UNIT})(?:,? and |,? |))" + r"{1,6}")
_STARTS = frozenset("0123456789+-.")
_WORDED = {
    "hourly": "1 hour",
    "daily": "1 day",
    "weekly": "1 week",
    "a day": "1 day",
    "one day": "1 day",
    "an hour": "1 hour",
    "one hour": "1 hour",
    "a week": "1 week",
    "one week": "1 week",
    "a minute": "1 minute",
    "one minute": "1 minute",
}


@dataclass(frozen=True, slots=True)
class _Duration:
    seconds: Decimal
    number: Decimal | None = None
    """What stands before the unit; None where there are several."""
    rough: bool = False


def durations(left: str, right: str, option: str) -> Verdict | None:
    """Whether two durations are the same, of which at least one has a unit.

    A bare number in an option that names no unit is unknown where some unit would make it right.
    """
    one, other = _duration(left), _duration(right)
    if one and other:
        verdict: Verdict = "agrees" if one.seconds == other.seconds else "disagrees"
        return "unknown" if verdict == "disagrees" and one.rough is not other.rough else verdict
    timed, bare = one or other, number_of(right if one else left)
    return None if timed is None or bare is None else _against_bare(timed, bare, option)


def _against_bare(timed: _Duration, bare: Decimal, option: str) -> Verdict:
    unit = named_seconds(option)
    if unit is not None and bare * unit == timed.seconds:
        return "agrees"
    if unit is None and (bare == timed.number or timed.seconds in (bare, bare * SECONDS["ms"])):
        return "agrees"
    plausible = bare == timed.number if unit is not None else bare * timed.seconds > 0 and _some_unit(timed, bare)
    return "unknown" if plausible or timed.rough else "disagrees"


def _some_unit(timed: _Duration, bare: Decimal) -> bool:
    return any(bare * seconds == timed.seconds for seconds in SECONDS.values())


def _duration(text: str) -> _Duration | None:
    text = text.lower()
    text = _WORDED.get(text, text)
    if text[:1] not in _STARTS or not _WHOLE.fullmatch(text):
        return None
    parts = [(number_of(found[1]), found[2]) for found in _PART.finditer(text)]
    if any(number is None for number, _ in parts):
        return None
    seconds = sum((number * SECONDS[unit] for number, unit in parts if number is not None), start=Decimal(0))
    return _Duration(seconds, parts[0][0] if len(parts) == 1 else None, any(unit in ROUGH for _, unit in parts))
