"""The value that a text spells at a place: in a code span, in quotes, bold, or bare where it can't be mistaken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

_UNIT = (
    r"(?:%|°[CF]?|px|(?:nano|micro|milli)?seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?"
    r"|[num]?s|m|h|d|w|[kKmMgGtT]i?[bB]?(?:ytes?)?|[bB](?:ytes?)?|per ?cent"
    r"|(?:kilo|mega|giga|tera|kibi|mebi|gibi|tebi)bytes?)"
)
_UNIT_AFTER = re.compile(rf"\s{_UNIT}(?!\w)")
_MARKUP: Mapping[str, tuple[re.Pattern[str], int]] = {
    "code": (re.compile(r"\\?(``|`|\+)(?!`)\s?([^`\n]{0,200}?)\s?\\?\1(?![`\w])"), 2),
    "autolink": (re.compile(r"\"?<(https?://[^<>\s]{1,200})>\"?"), 1),
    "quoted": (re.compile(r"\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'(?!\w)"), 0),
    "curly": (re.compile(r"[“‘]([^”’\n]{0,200})[”’]"), 1),
    "bold": (re.compile(r"(\*\*|__|\*)([^*\s][^*\n]{0,100}?)\1(?![*\w])"), 2),
    "font": (re.compile(r"\\f[BICW]+([^\\\n]{1,100})\\f[RP]"), 1),
    "tag": (re.compile(r"<(code|b|strong|em|i|tt)>([^<\n]{1,200})</\1>"), 2),
}
"""Name -> how it is written, and which group is the value."""
_AROUND_MORE = ("bold", "tag", "curly")
_NUMBER = re.compile(rf"[-+]?\d[\d_]*(?:[.,]\d+)*(?:\s?{_UNIT})?(?![\w/%-]|[.:,]\d)")
_SWITCH = re.compile(r"(?:true|false|yes|no|on|off|none|null|nil|empty|enabled|disabled)(?![\w/-])", re.IGNORECASE)
_PATH = re.compile(r"(?:~/|/|https?://)[^\s()\[\]<>`'\",;]{1,200}(?<![.:!?])")
_UNSET = re.compile(r"(?:not set|no value|no limit|empty string|an empty string|unset)(?!\w)", re.IGNORECASE)
_LITERAL = re.compile(r"\[[^\[\]\n]{0,160}\]|\{[^{}\n]{0,160}\}")
_TOKEN = re.compile(r"[^\s`'\"()\[\]{}<>,;]{1,160}(?<![.:!?])")
_CONSTANT = re.compile(r"\$.*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_ESCAPED = re.compile(r"\\([*_<>#\[\]`])")
# What may stand after a value without making it a part of something longer.
_ENDS = re.compile(
    r"\s*(?:$|[.!?][)\]]?(?:\s|$)|[;,](?:\s|$)|[)\]|(]|[-–—]{1,2}\s|\\?\*\s{0,9}$|<br|\\n|\\f[RP]|[\"'`]{1,3}\s{0,9}$)"
    r"|\s(?:which|but|so|because|as|by default|to (?:avoid|keep|match|prevent)"
    r"|(?:if|when) (?:not|omitted|unset|none|no|left)"
    r"|and (?:can|may|must|should|is|will|has|applies|does|cannot))\b"
)
# What makes it one: another value, a condition, arithmetic.
_LONGER = re.compile(
    r"\s{0,9}(?:,?\s{0,9}(?:and|or|otherwise|else|on|for|if|unless|when|in)\s{1,9}[`'\"\d]|,\s{0,9}[`'\"\d*]"
    r"|,?\s{0,9}(?:unless|relative to|depending|based on|plus|minus|multiplied|divided|times)\b"
    r"|\.\.|[*+/x]\s{0,9}\d|-\s{0,9}\d"
    r"|\((?:on|for|in|if|unless|when|or|except|else|otherwise)\b|\([^()]{0,120}`[^()]{0,120}\))"
)


@dataclass(frozen=True, slots=True)
class Spelled:
    """A value as a text spells it."""

    text: str
    """Without markup; quotes are kept."""
    start: int
    """Where it begins in the text."""
    width: int
    """Characters it takes there; 0 where the text spells it in another way."""
    end: int
    """Behind it and its markup."""
    marked: bool
    """It stands in a code span, in quotes or bold."""


def spelled_at(text: str, start: int, *, words: bool = False) -> Spelled | None:
    """The value at a place, if the text goes on with nothing that would change it.

    Unmarked, a value is a number, perhaps with a unit, a switch, a path, or, with `words`, any single word.
    """
    while start < len(text) and text[start] in " \t":
        start += 1
    found = _marked(text, start) or _bare(text, start, words)
    if not found or not found.text or _LONGER.match(text, found.end) or not _ENDS.match(text, found.end):
        return None
    return found


def _marked(text: str, start: int) -> Spelled | None:
    for name, (pattern, group) in _MARKUP.items():
        if match := pattern.match(text, start):
            inner = match[group].strip()
            begin = match.start(group) + match[group].index(inner)
            found = Spelled(inner, begin, len(inner), match.end(), True)
            nested = _marked(inner, 0) if name in _AROUND_MORE else None
            if nested and nested.end == len(inner):
                return replace(nested, start=begin + nested.start, end=match.end())
            return _with_unit(text, _unescaped(found) if name in ("quoted", "curly") else found)
    return None


def _unescaped(found: Spelled) -> Spelled:
    """Without the backslashes by which markup is kept from being any."""
    text = _ESCAPED.sub(r"\1", found.text)
    return found if text == found.text else replace(found, text=text, width=0)


def _with_unit(text: str, found: Spelled) -> Spelled:
    unit = _UNIT_AFTER.match(text, found.end)
    if not unit or not found.text[-1:].isdigit():
        return found
    return Spelled(found.text + unit[0], found.start, 0, unit.end(), True)


def _bare(text: str, start: int, words: bool) -> Spelled | None:
    for pattern in (_NUMBER, _SWITCH, _PATH, _UNSET, *((_LITERAL, _TOKEN) if words else ())):
        match = pattern.match(text, start)
        if match and (pattern is _TOKEN or _ENDS.match(text, match.end())):
            # A bare constant or variable is for someone else to fill in; bare marks belong to what follows.
            unclear = _CONSTANT.fullmatch(match[0]) or not any(map(str.isalnum, match[0].replace("*", "x")))
            return None if unclear else Spelled(match[0], start, len(match[0]), match.end(), False)
    return None
