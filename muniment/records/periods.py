"""The days that a period's words mean on a given day."""

from calendar import monthrange
from datetime import date, timedelta

from muniment.records.phrases import Phrase, Point, Unit
from schemas.records import Period

Days = tuple[date, date]
"""First and last, both included."""
_MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12}


def resolve_period(phrase: Phrase, words: str, today: date) -> Period:
    """The period that a phrase means when it is said today; `words` is how the question spells it.

    A month without a year is the latest that has begun, `last November` the latest that is over; `last 3 months` are
    the three months up to today; `last month`, `last week` (from Monday) and the like are whole calendar units.
    A day that no calendar has (31 November) gives a period without days.
    """
    try:
        return Period(*_days(phrase, today), words)
    except (ValueError, OverflowError):
        return Period(date.max, date.min, words)


def _days(phrase: Phrase, today: date) -> tuple[date | None, date | None]:
    if phrase.form == "rolling":
        return _rolling(phrase.first.unit, phrase.count, today)
    if phrase.form == "range" and phrase.second:
        return _range(phrase.first, phrase.second, today)
    start, end = _meant(phrase.first, today)
    sides: dict[str, tuple[date | None, date | None]] = {
        "since": (start, None),
        "after": (end + timedelta(days=1), None),
        "before": (None, start - timedelta(days=1)),
        "until": (None, end),
        "to date": (start, today),
    }
    return sides.get(phrase.form, (start, end))


def _rolling(unit: Unit, count: int, today: date) -> Days:
    if unit in {"day", "week"}:
        return today - timedelta(days=count * (7 if unit == "week" else 1) - 1), today
    months = today.year * 12 + today.month - 1 - _MONTHS[unit] * count
    year, month = divmod(months, 12)
    start = date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
    return start + timedelta(days=1), today


def _range(first: Point, second: Point, today: date) -> Days:
    """From the first to the second; where only one of them has a year, the other is the nearest that fits."""
    if _dated(second) and not _dated(first):
        start, end = _of_year(first, _meant(second, today)[0].year), _meant(second, today)
        return (start if start[0] <= end[0] else _of_year(first, end[0].year - 1))[0], end[1]
    start = _meant(first, today)
    if _dated(second):
        return start[0], _meant(second, today)[1]
    end = _of_year(second, start[0].year)
    return start[0], (end if end[0] >= start[0] else _of_year(second, start[0].year + 1))[1]


def _meant(point: Point, today: date) -> Days:
    if point.back is not None:
        return _around(point.unit, today, point.back)
    if point.year is not None or point.years_back is not None:
        return _of_year(point, point.year or today.year - (point.years_back or 0))
    latest = _of_year(point, today.year)
    begun = latest[1] < today.replace(day=1) if point.last else latest[0] <= today
    return latest if begun else _of_year(point, today.year - 1)


def _dated(point: Point) -> bool:
    return point.unit == "year" or not point.year == point.years_back == point.back


def _of_year(point: Point, year: int) -> Days:
    if point.back is not None:
        raise ValueError(point)
    if point.unit == "day":
        return (date(year, point.number, point.day),) * 2
    months = _MONTHS[point.unit]
    first = (point.number - 1) * months + 1 if point.unit != "year" else 1
    return date(year, first, 1), _month_end(year, first + months - 1)


def _around(unit: Unit, today: date, back: int) -> Days:
    """The calendar unit that holds today, or the one so many before it."""
    if unit == "day":
        return (today - timedelta(days=back),) * 2
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=6)
    months = _MONTHS[unit]
    begin = (today.year * 12 + today.month - 1) // months * months - months * back
    year, month = divmod(begin, 12)
    return date(year, month + 1, 1), _month_end(year, month + months)


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
