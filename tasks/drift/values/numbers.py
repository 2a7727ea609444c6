"""Numbers: `12` is `12.0`, `5_000_000` is `5,000,000`, `0x10` is `16`, and a product is what it comes to."""

from __future__ import annotations

from decimal import Decimal
from math import prod

import re2

from schemas.claims import Verdict

_WHOLE = r"(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,24}(?:[_'’]\d{1,24}){0,6})"
NUMBER = rf"[-+]?(?:{_WHOLE}(?:\.\d{{0,24}})?|\.\d{{1,24}})"
_DECIMAL = re2.compile(rf"({NUMBER}(?:[eE][-+]?\d{{1,2}})?)[lLuU]{{0,3}}")
_BASED = re2.compile(r"([-+]?)0(?:([xX])([0-9a-fA-F_]{1,20})|([oO])([0-7_]{1,20})|([bB])([01_]{1,64}))")
_FACTORS = re2.compile(r"\(?\s*\d[\d_]{0,15}(?:\.\d{1,6})?(?:\s*\*\s*\d[\d_]{0,15}(?:\.\d{1,6})?){1,8}\s*\)?")
_SHIFT = re2.compile(r"(\d{1,9})\s*<<\s*(\d{1,2})")
_POWER = re2.compile(r"(\d{1,4})\s*(?:\*\*|\^)\s*(\d{1,2})")
_STARTS = frozenset("0123456789+-.(")
_SEPARATORS = str.maketrans("", "", ",_'’")
_VERSIONED = re2.compile(r"(?i)version|tag$|release")


def number_of(text: str) -> Decimal | None:
    """The number that a text spells and nothing else; None where it spells none."""
    if text[:1] not in _STARTS:
        return None
    if found := _DECIMAL.fullmatch(text):
        digits = found[1].translate(_SEPARATORS)
        return Decimal(digits)
    if found := _BASED.fullmatch(text):
        base, digits = next((base, found[group]) for group, base in ((3, 16), (5, 8), (7, 2)) if found[group])
        bare = digits.replace("_", "")
        return Decimal(int(found[1] + bare, base)) if bare else None
    return _product(text)


def numbers(left: str, right: str, option: str) -> Verdict | None:
    """Whether two numbers are the same. Versions are no numbers: 1.10 is not 1.1."""
    one, other = number_of(left), number_of(right)
    if one is None or other is None:
        return None
    if one == other and left != right and "." in left + right and _VERSIONED.search(option):
        return "disagrees"
    return "agrees" if one == other else "disagrees"


_MODE = re2.compile(r"0?o?([0-7]{3,4})")


def modes(left: str, right: str, _option: str) -> Verdict | None:
    """Whether two file modes are the same, of which at least one is written in octal: `0o644`, `0644` and `644`."""
    octal = left.startswith("0") or right.startswith("0")
    one, other = (_MODE.fullmatch(left), _MODE.fullmatch(right)) if octal else (None, None)
    if not one or not other:
        return None
    return "agrees" if one[1].lstrip("0") == other[1].lstrip("0") else None


_QUOTIENT = re2.compile(r"(\d{1,9})\s?/\s?(\d{1,9})")
_PLACES = Decimal("1e-9")


def quotients(left: str, right: str, _option: str) -> Verdict | None:
    """Whether a quotient is a number: `4/3` and `1.3333333333`. Others may be a port of some protocol, or a date."""
    one, other = _quotient(left), _quotient(right)
    if one is None or other is None or (number_of(left) is None) is (number_of(right) is None):
        return None
    return "agrees" if abs(one - other) < _PLACES else None


def _quotient(text: str) -> Decimal | None:
    found = _QUOTIENT.fullmatch(text)
    return Decimal(found[1]) / Decimal(found[2]) if found and int(found[2]) else number_of(text)


_PERCENT = re2.compile(rf"({NUMBER})\s?(?:%|percent|per cent|pct)")


def percents(left: str, right: str, _option: str) -> Verdict | None:
    """Whether two shares are the same, of which at least one is a percentage: `20%`, `20 percent`, `20` and `0.2`."""
    one, other = (_PERCENT.fullmatch(text.lower()) if text[:1] in _STARTS else None for text in (left, right))
    if not one and not other:
        return None
    share, bare = (number_of(one[1] if one else left), number_of(other[1] if other else right))
    if share is None or bare is None:
        return None
    same = share == bare or (not other and bare * 100 == share) or (not one and share * 100 == bare)
    return "agrees" if same else "disagrees"


def _product(text: str) -> Decimal | None:
    if found := _SHIFT.fullmatch(text):
        return Decimal(int(found[1]) << int(found[2]))
    if found := _POWER.fullmatch(text):
        return Decimal(int(found[1]) ** int(found[2]))
    if _FACTORS.fullmatch(text):
        return prod((Decimal(factor.strip("() \t").replace("_", "")) for factor in text.split("*")), start=Decimal(1))
    return None
