"""The words that name a period in a question, taken apart: last November, Q3 2024, between March and May.

English, and the German and French phrases that are built alike. What days they mean is for `periods` to say.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from muniment.records.fold import fold, words
from muniment.records.months import month_numbers

Unit = Literal["day", "week", "month", "quarter", "half", "year"]

_LANGUAGES = ("en", "de", "fr")
_TOKEN = re.compile(
    r"(?<![\w-])[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?![\w-])"
    r"|(?<![\w./-])[0-9]{1,2}(?:(?P<mark>[./])[0-9]{1,2}(?P=mark)|[./])[0-9]{4}(?![\w/-]|\.[0-9])"
    r"|(?:19|20)[0-9]{2}(?=-(?:19|20)[0-9]{2}(?![\w-]))"
    # A reference such as NW-2024-1187 is one word and no year.
    r"|[^\W_]+(?:-[^\W_]*[0-9][^\W_]*)+|[^\W_]+|[–-]"
)
_UNITS: dict[Unit, str] = {
    "day": "day days tag tage tagen jour jours",
    "week": "week weeks woche wochen semaine semaines",
    "month": "month months monat monate monaten monats mois",
    "quarter": "quarter quarters quartal quartale quartalen quartals trimestre trimestres",
    "half": "half halbjahr halbjahres semestre",
    "year": "year years jahr jahre jahren jahres an ans annee annees",
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_BACK = dict.fromkeys(
    words("last past previous letzte letzten letzter letztes letztem vergangenen vergangenes vorigen voriges"), 1
)
_BACK |= dict.fromkeys(words("this current diese diesen dieser dieses diesem laufenden cette ce"), 0)
_BEHIND = frozenset(words("dernier derniere derniers dernieres passe passee"))
_NTH = {word: number for number, words in enumerate(
    ("first 1st ersten erstes premier", "second 2nd zweiten zweites deuxieme", "third 3rd dritten drittes troisieme",
     "fourth 4th vierten viertes quatrieme"), 1) for word in (*words.split(), str(number))}  # fmt: skip
_COUNTS = {
    word: count for count, word in enumerate(words("two three four five six seven eight nine ten eleven twelve"), 2)
}
_DAY = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er)?")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?")
_PARTED = re.compile(r"[0-9]{1,2}[./](?:[0-9]{1,2}[./])?[0-9]{4}")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_FILL = frozenset(words("the of des dem den der das de du l la le les d"))
_LEAD = frozenset(words("in im en au during within for on am over from pendant dans fur um"))
_FROM = frozenset(words("between zwischen entre from von vom de du"))
_TO = frozenset((*words("and und et to until till through bis a au"), "-", "–"))
_OPEN: dict[str, Literal["since", "until", "before", "after"]] = {
    **dict.fromkeys(("since", "seit", "depuis"), "since"),
    **dict.fromkeys(("until", "till", "bis", "jusqu"), "until"),
    **dict.fromkeys(("before", "vor", "avant"), "before"),
    **dict.fromkeys(("after", "nach", "apres"), "after"),
}


@dataclass(frozen=True, slots=True)
class Point:
    """A day, month, quarter, half or year."""

    unit: Unit
    number: int = 1
    day: int = 1
    year: int | None = None
    years_back: int | None = None
    """1: of last year; 0: of this year."""
    last: bool = False
    """`last November`: the latest one that is over."""
    back: int | None = None
    """The unit around today (0) or the one before it (1): `this week`, `last month`, `yesterday`."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A period's words, taken apart."""

    form: Literal["point", "range", "since", "until", "before", "after", "rolling", "to date"]
    start: int
    """Where the words begin in the question."""
    end: int
    first: Point
    second: Point | None = None
    count: int = 0
    """Of rolling periods: so many units up to today."""


class _Token(NamedTuple):
    text: str
    start: int
    end: int


_Found = tuple[Point, int]
"""A point and the index of the token after it."""


def find_phrase(question: str) -> Phrase | None:
    """The first period that a question names; None where it names none."""
    tokens = [_Token(match[0], *match.span()) for match in _TOKEN.finditer(fold(question))]
    words = [token.text for token in tokens]
    for at in range(len(words)):
        for read in (_to_date, _rolling, _open, _range, _alone):
            found = read(words, at)
            if found:
                form, first, second, count, after = found
                return Phrase(form, tokens[at].start, tokens[after - 1].end, first, second, count)  # type: ignore[arg-type]  # the readers name their form
    return None


_Read = tuple[str, Point, Point | None, int, int] | None


def _to_date(words: Sequence[str], at: int) -> _Read:
    for phrase in ("so far this year", "this year so far", "year to date", "ytd"):
        if list(words[at : at + len(phrase.split())]) == phrase.split():
            return "to date", Point("year", back=0), None, 0, at + len(phrase.split())
    return None


def _rolling(words: Sequence[str], at: int) -> _Read:
    at = _skip(words, _skip(words, at, _LEAD), _FILL)
    first, second, third = _word(words, at), _word(words, at + 1), _word(words, at + 2)
    count, unit = (second, third) if _BACK.get(first) == 1 else (first, third) if second in _BEHIND else ("", "")
    number = _COUNTS.get(count) or (int(count) if count.isdecimal() and len(count) <= 3 else 0)
    if number and unit in _UNIT_OF and unit != "half":
        return "rolling", Point(_UNIT_OF[unit]), None, number, at + 3
    return None


def _open(words: Sequence[str], at: int) -> _Read:
    form = _OPEN.get(words[at])
    found = _point(words, _skip(words, at + 1, _FILL | _LEAD)) if form else None
    return (form, found[0], None, 0, found[1]) if form and found else None


def _range(words: Sequence[str], at: int) -> _Read:
    led = words[at] in _FROM | _LEAD
    first = _point(words, _skip(words, at + led, _FILL))
    if not first or _word(words, first[1]) not in _TO:
        return None
    joint = words[first[1]]
    second = _point(words, _skip(words, first[1] + 1, _FILL))
    # "in March and May" are two months, not the time between them.
    if not second or (joint in {"and", "und", "et"} and words[at] not in {"between", "zwischen", "entre"}):
        return None
    return "range", first[0], second[0], 0, second[1]


def _alone(words: Sequence[str], at: int) -> _Read:
    led = words[at] in _LEAD
    found = _point(words, _skip(words, at + led, _FILL | {"year", "jahr", "month", "monat"} if led else _FILL))
    if not found:
        return None
    point = found[0]
    # A month alone needs a word before it that says so: may and march are verbs as well.
    # The same goes for "the second half", while Q3 can't mean anything else.
    worded = point.unit == "month" or (point.unit in {"quarter", "half"} and words[found[1] - 1] in _UNIT_OF)
    bare = worded and point.year is None and point.years_back is None and not point.last
    return None if bare and point.back is None and not led else ("point", point, None, 0, found[1])


def _point(words: Sequence[str], at: int) -> _Found | None:
    word = _word(words, at)
    if word in {"today", "heute", "yesterday", "gestern"}:
        return Point("day", back=0 if word in {"today", "heute"} else 1), at + 1
    if _YEAR.fullmatch(word):
        return Point("year", year=int(word)), at + 1
    for read in (_numeric, _calendar_day, _month, _part, _around):
        found = read(words, at)
        if found:
            return found
    return None


def _numeric(words: Sequence[str], at: int) -> _Found | None:
    word = _word(words, at)
    if _ISO.fullmatch(word):
        year, month, *days = (int(part) for part in word.split("-"))
        day = next(iter(days), 1)
        return (Point("day" if days else "month", month, day, year), at + 1) if 1 <= month <= 12 else None
    *parts, year = (int(part) for part in re.split(r"[./]", word)) if _PARTED.fullmatch(word) else [0]
    if len(parts) == 1:
        return (Point("month", parts[0], year=year), at + 1) if 1 <= parts[0] <= 12 else None
    day, month = _day_and_month(*parts, several="/" in word) if parts else (0, 0)
    return (Point("day", month, day, year), at + 1) if 1 <= month <= 12 else None


def _day_and_month(first: int, second: int, *, several: bool) -> tuple[int, int]:
    """The day and the month of a date without names; 0 and 0 where they could change places."""
    if not several or first > 12 or first == second:
        return first, second
    return (second, first) if second > 12 else (0, 0)


def _calendar_day(words: Sequence[str], at: int) -> _Found | None:
    """3 November, 3rd of November, November 3 - each with or without a year."""
    day, month = _DAY.fullmatch(_word(words, at)), _skip(words, at + 1, _FILL)
    after = month + 1
    if not day:
        month, after = at, at + 2
        day = _DAY.fullmatch(_word(words, at + 1))
    number = _months().get(_word(words, month))
    if not day or not number or not 1 <= int(day[1]) <= 31:
        return None
    return _with_year(words, after, Point("day", number, int(day[1])))


def _month(words: Sequence[str], at: int) -> _Found | None:
    back = _BACK.get(_word(words, at))
    at += back is not None
    number = _months().get(_word(words, at))
    if not number:
        return None
    behind = _word(words, at + 1) in _BEHIND
    point = Point("month", number, last=back == 1 or behind, years_back=0 if back == 0 else None)
    return _with_year(words, at + 1 + behind, point)


def _part(words: Sequence[str], at: int) -> _Found | None:
    """Q3, H1, third quarter, first half."""
    word, unit = _word(words, at), _UNIT_OF.get(_word(words, at + 1))
    if re.fullmatch(r"q[1-4]|h[12]", word):
        return _with_year(words, at + 1, Point("quarter" if word[0] == "q" else "half", int(word[1])))
    number = _NTH.get(word)
    if number and (unit == "quarter" or (unit == "half" and number <= 2)):
        return _with_year(words, at + 2, Point(unit, number))
    return None


def _around(words: Sequence[str], at: int) -> _Found | None:
    """Last month, this year, le mois dernier, ce mois-ci."""
    back, unit = _BACK.get(_word(words, at)), _UNIT_OF.get(_word(words, at + 1))
    if back is not None and unit and unit != "half":
        ci = list(words[at + 2 : at + 4]) == ["-", "ci"]
        return Point(unit, back=back), at + (4 if ci else 2)
    unit = _UNIT_OF.get(_word(words, at))
    if unit and unit != "half" and _word(words, at + 1) in _BEHIND:
        return Point(unit, back=1), at + 2
    return None


def _with_year(words: Sequence[str], at: int, point: Point) -> _Found:
    """The point with the year that follows it, if one does."""
    begin = _skip(words, at, _FILL | {"in", "im", "year", "jahr"})
    if _YEAR.fullmatch(_word(words, begin)):
        return Point(point.unit, point.number, point.day, int(words[begin]), None, point.last), begin + 1
    found = _around(words, _skip(words, at, _FILL | {"in", "im", "en"}))
    if found and found[0].unit == "year":
        return Point(point.unit, point.number, point.day, None, found[0].back, point.last), found[1]
    return point, at


def _skip(words: Sequence[str], at: int, these: frozenset[str]) -> int:
    while at < len(words) and words[at] in these:
        at += 1
    return at


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""


@cache
def _months() -> dict[str, int]:
    return {name.rstrip("."): number for name, number in month_numbers(_LANGUAGES).items()}
