"""Dates as bills spell them: where they stand in a line, and which days they can mean."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from muniment.records.fold import fold
from muniment.records.months import month_numbers, month_pattern

_FIRST_YEAR, _LAST_YEAR = 1970, 2099
_ISO = re.compile(r"(?<![\w.,/-])([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9]|[./-][0-9])")
_NUMERIC = re.compile(
    r"(?<![\w.,/-])([0-9]{1,2})([./-]) ?([0-9]{1,2})\2 ?((?:19|20)[0-9]{2}|[0-9]{2})(?![\w%]|[.,/-][0-9])"
)
_JAPANESE = re.compile("([0-9]{4}) ?年 ?([0-9]{1,2}) ?月 ?([0-9]{1,2}) ?日")
_COMPACT = re.compile(r"(?<![\w.,/-])(20[0-9]{2})([0-9]{2})([0-9]{2})(?![\w.,/-])")
# Words that only stand in documents of places that write the day first, or the month first.
_DAY_FIRST = re.compile(
    r"\b(?:rechnung|quittung|datum|betrag|gutschrift|factur|montant|fecha|importe|bedrag|fattura|importo|ricevuta|faktura)"
    r"|datum\b|\b(?:recu|avoir|moms|vat|gbp)\b|£"
)
_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA"
    "|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY"
)
_MONTH_FIRST = re.compile(rf"\b(?i:sales tax|zip code|routing number)\b|, (?:{_STATES}) [0-9]{{5}}(?:-[0-9]{{4}})?\b")


@dataclass(frozen=True, slots=True)
class DateToken:
    """A date in a line. `readings` holds one day, or two where day and month could change places."""

    start: int
    end: int
    readings: tuple[date, ...]
    order: str = ""
    """dmy or mdy where this token proves the order of a document's numeric dates."""
    compact: bool = False
    """Eight digits in a row: a date only where a label says so."""

    def read(self, order: str) -> date | None:
        """The day it means when the document writes its dates in this order; None where that stays open."""
        if len(self.readings) == 1:
            return self.readings[0]
        return {"dmy": self.readings[0], "mdy": self.readings[1]}.get(order)


def find_dates(line: str) -> list[DateToken]:
    """The dates of a line, in order; text that only looks like one (32.13.2024) is left out."""
    folded = fold(line)
    found: list[DateToken] = []
    for token in sorted((*_named(folded), *_numeric(folded)), key=lambda token: (token.start, -token.end)):
        if not found or found[-1].end <= token.start:
            found.append(token)
    return found


def date_order(tokens: Iterable[DateToken], text: str) -> str:
    """dmy, mdy, or empty where neither the dates nor the words of the document tell."""
    proven = {token.order for token in tokens} - {""}
    if proven:
        return proven.pop() if len(proven) == 1 else ""
    day_first, month_first = bool(_DAY_FIRST.search(fold(text))), bool(_MONTH_FIRST.search(text))
    if day_first == month_first:
        return ""
    return "dmy" if day_first else "mdy"


def _named(folded: str) -> Iterator[DateToken]:
    day_month, month_day = _named_patterns()
    for pattern in (day_month, month_day):
        for match in pattern.finditer(folded):
            month = month_numbers()[match["month"].rstrip(".")]
            yield from _token(match, _day(match["year"], month, match["day"]))


@cache
def _named_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    month = f"(?P<month>{month_pattern()})"
    year = r"(?P<year>(?:19|20)[0-9]{2}|'?[0-9]{2})(?![\w%]|[.,/:-][0-9])"
    day = r"(?<![\w.,/-])(?P<day>[0-9]{1,2})"
    return (
        re.compile(rf"{day}(?:st|nd|rd|th|er|e|o|a|\.)?[ -]?(?:de |of )?{month}[ ,-]{{0,2}}(?:de |del |of )?{year}"),
        re.compile(rf"\b{month} ?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,? {year}"),
    )


def _numeric(folded: str) -> Iterator[DateToken]:
    for pattern in (_ISO, _JAPANESE, _COMPACT):
        for match in pattern.finditer(folded):
            numbers = [part for part in match.groups() if part.isdigit()]
            yield from _token(match, _day(numbers[0], int(numbers[1]), numbers[2]), compact=pattern is _COMPACT)
    for match in _NUMERIC.finditer(folded):
        first, mark, second, year = match.groups()
        day_first = _day(year, int(second), first)
        if mark == ".":
            yield from _token(match, day_first)
            continue
        month_first = _day(year, int(first), second)
        order = "" if day_first and month_first else "dmy" if day_first else "mdy"
        yield from _token(match, day_first, month_first, order=order)


def _token(match: re.Match[str], *days: date | None, order: str = "", compact: bool = False) -> Iterator[DateToken]:
    readings = tuple(dict.fromkeys(day for day in days if day))
    if readings:
        yield DateToken(match.start(), match.end(), readings, order, compact)


def _day(year: str, month: int, day: str) -> date | None:
    full = int(year.lstrip("'"))
    # Two digits are of this century: bills of the last one are rarer than slips.
    full += 2000 if full < 100 else 0
    try:
        return date(full, month, int(day)) if _FIRST_YEAR <= full <= _LAST_YEAR else None
    except ValueError:
        return None
