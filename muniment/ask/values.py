"""Values in texts - numbers, amounts of time and room, dates, paths, flags, CONSTANTS - and whether a text has one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_SECONDS = {"s": 1.0, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600}
_SECONDS |= {"d": 86_400, "day": 86_400, "week": 604_800, "w": 604_800, "ms": 0.001, "millisecond": 0.001}
_BYTES = {"b": 1, "byte": 1, "kilobyte": 1000, "megabyte": 1000**2, "gigabyte": 1000**3, "terabyte": 1000**4}
_LETTERS = ("k", "m", "g", "t", "p")
for _power, _letter in enumerate(_LETTERS, 1):
    _BYTES |= {f"{_letter}ib": 1024**_power, f"{_letter}b": 1000**_power}
_NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in _MONTHS)

_DATE = re.compile(
    rf"\b(?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d)\b|\b(?P<d2>\d\d?)\.(?P<m2>\d\d?)\.(?P<y2>\d{{4}})\b"
    rf"|\b(?P<d3>\d\d?)(?:st|nd|rd|th)?\.? (?P<m3>{_MONTH})\.?,? (?P<y3>\d{{4}})\b"
    rf"|\b(?P<m4>{_MONTH})\.? (?P<d4>\d\d?)(?:st|nd|rd|th)?,? (?P<y4>\d{{4}})\b",
    re.I,
)
_LITERAL = re.compile(
    r"https?://[^\s\"'<>)\]]+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+"  # addresses
    r"|(?<![\w-])--?[A-Za-z][\w-]*"  # flags
    r"|(?<![\w.])(?:~|\.{1,2})?/?(?:[\w.@%+-]+/)+[\w.@%+-]*|(?<![\w/])/[\w.@%+-]+"  # paths
    r"|\b[\w-]+\.(?:sh|py|pl|php|conf|ini|toml|ya?ml|json|md|rst|adoc|txt|env|log|service|timer|template|lock|rb|js|go)\b"
    r"|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|(?<!\d)(?<!\d[ -])\b[A-Z]{2,}[A-Z0-9]*\b"  # CONSTANTS
    r"|\b(?!\d\d?\.\d\d?\.\d{4}\b)v?\d+(?:\.\d+){2,}\b"  # versions, addresses of machines
    r"|\b\d{1,2}:\d\d(?::\d\d)?\b"  # times of day
    r"|`[^`\n]+`"
)
_UNIT = re.compile(r"\s?-?(%|[A-Za-z]+)")
_WITH_UNIT = re.compile(r"\d\s?-?[A-Za-z]+")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[,_' ]\d{3})*(?:\.\d+)?|\b(?:" + "|".join(_NUMBERS) + r")\b", re.I)


@dataclass(frozen=True, slots=True)
class Value:
    """One value as a text spells it, and everything that it can be equal to."""

    spelled: str
    forms: frozenset[tuple[str, object]]


def values_of(text: str) -> list[Value]:
    """The values of a text: first those spelled as they are, then dates, then numbers with their units."""
    values = []
    for kind, pattern in (("literal", _LITERAL), ("date", _DATE)):
        for found in pattern.finditer(text):
            spelled = found.group().strip("`").rstrip(".,;:")
            values.append(Value(spelled, frozenset({("literal", spelled) if kind == "literal" else _date(found)})))
        text = pattern.sub(lambda found: " " * len(found.group()), text)
    return values + [_quantity(text, found) for found in _NUMBER.finditer(text)]


def missing_values(answer: str, source: str) -> list[str]:
    """The values of an answer that a source does not hold, as the answer spells them; `one` is no value."""
    held = {form for value in values_of(source) for form in value.forms}
    # A number may stand in a source without its unit, where a column or comment gives that.
    free_units = {word.rstrip("s") for word in re.findall(r"[a-z]+", _WITH_UNIT.sub(" ", source).lower())}
    missing = []
    for value in values_of(answer):
        literal = next((str(form) for kind, form in value.forms if kind == "literal"), "")
        if value.spelled.lower() == "one" or (literal and _stands(literal, source)) or value.forms & held:
            continue
        number, _, unit = value.spelled.partition(" ")
        if unit and unit.lower().rstrip("s") in free_units and _quantity(number, None).forms & held:
            continue
        missing.append(value.spelled)
    return missing


def _stands(literal: str, source: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(literal)}(?![\w-])", source) is not None


def _date(found: re.Match[str]) -> tuple[str, object]:
    day, month, year = (next(part for name in names if (part := found.group(name))) for names in (_D, _M, _Y))
    number = int(month) if month.isdigit() else [name[:3] for name in _MONTHS].index(month[:3].lower()) + 1
    try:
        return "date", date(int(year), number, int(day))
    except ValueError:
        return "literal", found.group()


_D, _M, _Y = ("d", "d2", "d3", "d4"), ("m", "m2", "m3", "m4"), ("y", "y2", "y3", "y4")


def _quantity(text: str, found: re.Match[str] | None) -> Value:
    spelled = found.group() if found else text
    number = _number(spelled)
    after = _UNIT.match(text, found.end()) if found else None
    unit = after[1] if after else ""
    name = unit.lower() if unit.lower() in _SECONDS else unit.lower().rstrip("s")
    forms: set[tuple[str, object]] = set()
    if name in _SECONDS and unit != "M":
        forms.add(("quantity", round(number * _SECONDS[name], 3)))
    if name in _BYTES:
        forms.add(("quantity", float(number * _BYTES[name])))
    if name in _LETTERS:  # 80M is told by one program in thousands, by another in 1024s
        power = _LETTERS.index(name) + 1
        forms |= {("quantity", number * 1000**power), ("quantity", number * 1024**power)}
    if not forms:
        return Value(spelled, frozenset({("number", number), ("quantity", number)}))
    return Value(f"{spelled} {unit}", frozenset(forms))


def _number(spelled: str) -> float:
    if spelled.lower() in _NUMBERS:
        return float(_NUMBERS[spelled.lower()])
    return float(re.sub(r"[,_' ]", "", spelled))
