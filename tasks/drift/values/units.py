"""Units: those of time and of room, as texts spell them and as the names of options carry them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

_MS, _MINUTE, _HOUR, _DAY = Decimal("0.001"), Decimal(60), Decimal(3600), Decimal(86_400)
SECONDS: Mapping[str, Decimal] = {
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), Decimal("1e-9")),
    **dict.fromkeys(("us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"), Decimal("1e-6")),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), _MS),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Decimal(1)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), _MINUTE),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), _HOUR),
    **dict.fromkeys(("d", "day", "days"), _DAY),
    **dict.fromkeys(("w", "wk", "week", "weeks"), 7 * _DAY),
    **dict.fromkeys(("mo", "month", "months"), 30 * _DAY),
    **dict.fromkeys(("y", "yr", "year", "years"), 365 * _DAY),
}
"""Unit in lower case -> seconds."""

ROUGH = frozenset({"mo", "month", "months", "y", "yr", "year", "years"})
"""Units whose length is a matter of opinion."""

_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_NAMES = {"k": "kilo", "m": "mega", "g": "giga", "t": "tera", "p": "peta", "e": "exa"}
BYTES: dict[str, tuple[int, ...]] = dict.fromkeys(("b", "byte", "bytes"), (1,))
"""Unit in lower case -> bytes it can stand for: first what it means, then what it is used for."""
for _letter, _power in _POWERS.items():
    _decimal, _binary = 1000**_power, 1024**_power
    _long = _NAMES[_letter] + "byte"
    BYTES |= dict.fromkeys(
        (f"{_letter}i", f"{_letter}ib", f"{_NAMES[_letter][:2]}bibyte", f"{_NAMES[_letter][:2]}bibytes"), (_binary,)
    )
    BYTES |= dict.fromkeys((_letter, f"{_letter}b", _long, f"{_long}s"), (_decimal, _binary))

_NAMED_SECONDS = (
    "ms",
    "msec",
    "msecs",
    "millis",
    "milliseconds",
    "sec",
    "secs",
    "seconds",
    "mins",
    "minutes",
    "hours",
    "hrs",
    "days",
    "weeks",
)
_NAMED_BYTES = ("bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "tib")


def named_seconds(option: str) -> Decimal | None:
    """The seconds in one of an option's units, where its name ends in the unit: `KEEP_DAYS`, `periodSeconds`."""
    word = _last_word(option)
    return SECONDS[word] if word in _NAMED_SECONDS else None


def named_bytes(option: str) -> tuple[int, ...]:
    """The bytes that an option's unit can stand for, where its name ends in the unit; empty where it does not."""
    word = _last_word(option)
    return BYTES[word] if word in _NAMED_BYTES else ()


def _last_word(option: str) -> str:
    # `MAX_SIZE_MB`, `timeoutMs`, `IdleSec`: what follows the last mark, or the last capital after a small letter.
    tail = option[-40:]
    start = len(tail)
    while start and tail[start - 1].isalnum():
        if start < len(tail) and tail[start - 1].islower() and tail[start].isupper():
            break
        start -= 1
    return tail[start:].lower()
