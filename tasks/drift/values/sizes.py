"""Sizes: `1 GiB` is `1073741824`, and `10M` is what either reading of the letter makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import re2

from schemas.claims import Verdict
from tasks.drift.values.numbers import NUMBER, number_of
from tasks.drift.values.units import BYTES, named_bytes

_UNIT = "|".join(sorted(BYTES, key=len, reverse=True))
_SIZE = re2.compile(rf"({NUMBER})\s?-?({_UNIT})")
_MILLI = Decimal("0.001")
_SCALES = tuple(base**power for base in (1000, 1024) for power in range(1, 5))


@dataclass(frozen=True, slots=True)
class _Size:
    number: Decimal
    readings: tuple[Decimal, ...]
    """Bytes: first what the unit means, then what it is used for."""


def sizes(left: str, right: str, option: str) -> Verdict | None:
    """Whether two sizes are the same, of which at least one has a unit; unknown where 1000 or 1024 decides it."""
    one, other = _size(left), _size(right)
    if one and other:
        # As both mean it, or as both use it: 2M is 2048K.
        if any(ours == theirs for ours, theirs in zip(one.readings, other.readings, strict=False)):
            return "agrees"
        return "unknown" if set(one.readings) & set(other.readings) else "disagrees"
    sized, bare = one or other, number_of(right if one else left)
    return None if sized is None or bare is None else _against_bare(sized, bare, option)


def _against_bare(sized: _Size, bare: Decimal, option: str) -> Verdict:
    units = named_bytes(option)
    if any(bare * unit in sized.readings for unit in units or (1,)) or (not units and bare == sized.number):
        return "agrees"
    # `100m` of a processor is 0.1, and 1 GB may be written as 1024 where megabytes are meant.
    plausible = bare == sized.number if units else any(bare * scale in sized.readings for scale in _SCALES)
    return "unknown" if plausible or bare == sized.number * _MILLI else "disagrees"


def _size(text: str) -> _Size | None:
    found = _SIZE.fullmatch(text.lower()) if text[:1].isdigit() or text[:1] == "." else None
    number = number_of(found[1]) if found else None
    if not found or number is None:
        return None
    return _Size(number, tuple(number * size for size in BYTES[found[2]]))
