"""The value that a text spells at a place: in a code span, in quotes, bold, or bare where it can't be mistaken."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_CODE = re.compile(r"\\?(``|`|\+)(?!`)\s?([^`\n]{0,200}?)\s?\\?\1(?![`\w])")
_QUOTED = re.compile(r"\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'(?!\w)")
_AUTOLINK = re.compile(r"\"?<(https?://[^<>\s]{1,200})>\"?")
_CURLY = re.compile(r"[“‘]([^”’\n]{0,200})[”’]")
_BOLD = re.compile(r"(\*\*|__|\*)([^*\s][^*\n]{0,100}?)\1(?![*\w])")
_ROFF = re.compile(r"\\f[BICW]+([^\\\n]{1,100})\\f[RP]")
_TAG = re.compile(r"<(code|b|strong|em|i|tt)>([^<\n]{1,200})</\1>")
_ESCAPED = re.compile(r"\\([*_<>#\[\]`])")
_UNIT = (
    r"(?:%|°[CF]?|px|(?:nano|micro|milli)?seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|[num]?s|m|h|d|w"
    r"|[kKmMgGtT]i?[bB]?(?:ytes?)?|[bB](?:ytes?)?|per ?cent|(?:kilo|mega|giga|tera|kibi|mebi|gibi|tebi)bytes?)"
)
_NUMBER = re.compile(rf"[-+]?\d[\d_]*(?:[.,]\d+)*(?:\s?{_UNIT})?(?![\w/%-]|[.:,]\d)")
_UNIT_AFTER = re.compile(rf"\s{_UNIT}(?!\w)")
_WORD = re.compile(r"(?:true|false|yes|no|on|off|none|null|nil|empty|enabled|disabled)(?![\w/-])", re.IGNORECASE)
_PATH = re.compile(r"(?:~/|/|https?://)[^\s()\[\]<>`'\",;]{1,200}(?<![.:!?])")
_TOKEN = re.compile(r"[^\s`'\"()\[\]{}<>,;]{1,160}(?<![.:!?])")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_LITERAL = re.compile(r"\[[^\[\]\n]{0,160}\]|\{[^{}\n]{0,160}\}")
_UNSET = re.compile(r"(?:not set|no value|no limit|empty string|an empty string|unset)(?!\w)", re.IGNORECASE)
# What may stand after a value without making it a part of something longer.
_ENDS = re.compile(
    r"\s*(?:$|[.!?][)\]]?(?:\s|$)|[;,](?:\s|$)|[)\]|]|\(|[-–—]{1,2}\s|\\?\*\s*$|<br|\\n|\\f[RP]|[\"'`]{1,3}\s*$"
    r"|\s(?:which|but|if (?:not|omitted|unset|none|no|left)|when (?:not|omitted|unset)|so|because|to (?:avoid|keep|match|prevent)"
    r"|and (?:can|may|must|should|is|will|has|applies|does|cannot)|as|by default)\b)"
)
_LONGER = re.compile(
    r"\s*(?:,?\s*(?:and|or|otherwise|else|on|for|if|unless|when|in)\s+[`'\"\d]|,\s*[`'\"\d*]|,?\s*(?:unless|relative to|depending|based on"
    r"|plus|minus|multiplied|divided|times)\b|\.\.|[*+/x]\s*\d|-\s*\d"
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
    """The value at a place, which the text goes on from with nothing that would change it.

    Unmarked, a value is a number, perhaps with a unit, a switch, a path, or, with `words`, any single word.
    """
    while start < len(text) and text[start] in " \t":
        start += 1
    found = _marked(text, start) or _bare(text, start, words)
    if not found or not found.text.strip() or _LONGER.match(text, found.end) or not _ENDS.match(text, found.end):
        return None
    return found


def _marked(text: str, start: int) -> Spelled | None:
    for pattern, group in ((_CODE, 2), (_AUTOLINK, 1), (_QUOTED, 0), (_CURLY, 1), (_BOLD, 2), (_ROFF, 1), (_TAG, 2)):
        if match := pattern.match(text, start):
            inner = match[group]
            begin = match.start(group) + len(inner) - len(inner.lstrip())
            found = Spelled(inner.strip(), begin, len(inner.strip()), match.end(), True)
            if (
                pattern in (_BOLD, _TAG, _CURLY)
                and (nested := _marked(found.text, 0))
                and nested.end == len(found.text)
            ):
                found = replace(nested, start=begin + nested.start, end=match.end())
            return _with_unit(text, _unescaped(found) if pattern in (_QUOTED, _CURLY) else found)
    return None


def _unescaped(found: Spelled) -> Spelled:
    """Without the backslashes by which markup is kept from being one."""
    text = _ESCAPED.sub(r"\1", found.text)
    return found if text == found.text else replace(found, text=text, width=0)


def _with_unit(text: str, found: Spelled) -> Spelled:
    unit = _UNIT_AFTER.match(text, found.end)
    if not unit or not found.text[-1:].isdigit():
        return found
    return Spelled(found.text + unit[0], found.start, 0, unit.end(), True)


def _bare(text: str, start: int, words: bool) -> Spelled | None:
    patterns = (_NUMBER, _WORD, _PATH, _UNSET) + ((_LITERAL, _TOKEN) if words else ())
    for pattern in patterns:
        if (match := pattern.match(text, start)) and (pattern is _TOKEN or _ENDS.match(text, match.end())):
            # A bare constant is what another option or the reader fills in.
            return (
                None if _CONSTANT.fullmatch(match[0]) else Spelled(match[0], start, len(match[0]), match.end(), False)
            )
    return None
