"""When a record of another log was made: ISO 8601, a count since 1970, or a format of its own."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tasks.effectiveness.unusable import Unusable

_EPOCH = re.compile(r"\d{9,19}(?:\.\d*)?")
_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (float("inf"), 1e9))
"""Seconds, milliseconds, microseconds and nanoseconds since 1970, told apart by their size until the year 5138."""
_YEARS = range(1970, 9999)


def read_moment(value: object, form: str, zone: str) -> datetime:
    """The moment in UTC; `form` is a strptime format or empty, `zone` that of times that name none. Raises Unusable."""
    if value is None:
        raise Unusable("no time")
    try:
        found = _read_time(f"{value:f}" if isinstance(value, float) else str(value), form)
        aware = found if found.tzinfo else found.replace(tzinfo=ZoneInfo(zone))
        moment = aware.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise Unusable("a time that can't be read") from None
    if moment.year not in _YEARS:
        raise Unusable("a time that can't be read")
    return moment


def _read_time(text: str, form: str) -> datetime:
    if form:
        return datetime.strptime(text, form)
    if not _EPOCH.fullmatch(text):
        return datetime.fromisoformat(text)
    number = float(text)
    return datetime.fromtimestamp(number / next(unit for below, unit in _UNITS if number < below), UTC)
