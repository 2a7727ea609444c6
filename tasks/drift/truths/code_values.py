"""Literals of compiled languages and PHP: strings, numbers with their suffixes, arithmetic on them, Go's durations."""

from __future__ import annotations

import re

from tasks.drift.truths.arithmetic import evaluate_text
from tasks.drift.truths.value import Value, computed

MAX_SOURCE = 300
"""In characters."""

LITERAL = (
    r"(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[Tt]rue|[Ff]alse|TRUE|FALSE|null|NULL|nil"
    r"|(?:\d[\d_]* ?\* ?)?time\.[A-Z][a-z]+(?: ?\* ?\d+)?|[\-+]?[\d(][\w. *()+\-/<>]{0,100}?)"
)
"""Pattern of a literal on one line: a string, a word, a duration of Go, or a number and arithmetic on it."""

_STRING = re.compile(r"L?\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`|r#*\"([^\"]*)\"#*")
_ESCAPE = re.compile(r"\\([\"'\\])")
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_SUFFIX = re.compile(r"(?<=[\da-fA-F])_?(?:[uif](?:8|16|32|64|128|size)|[uUlLfF]{1,3})$")
_DURATION = re.compile(
    r"(?:(\d[\d_]*) ?\* ?)?time\.(Nanosecond|Microsecond|Millisecond|Second|Minute|Hour)(?: ?\* ?(\d[\d_]*))?"
)
_UNITS = {"Nanosecond": "ns", "Microsecond": "us", "Millisecond": "ms", "Second": "s", "Minute": "m", "Hour": "h"}
_NULLS = frozenset({"null", "NULL", "nil", "None", "nullptr"})
_REFERENCE = re.compile(r"[A-Za-z_][\w.]{0,99}")


def code_value(text: str) -> Value:
    """The value of an expression; computed where it is more than a literal or arithmetic on numbers."""
    text = text.strip()
    while text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1].strip()
    if found := _STRING.fullmatch(text):
        inner = next(group for group in found.groups() if group is not None)
        return Value(_ESCAPE.sub(r"\1", inner), "string")
    return _word(text) or _number(text) or _reference(text)


def _word(text: str) -> Value | None:
    if text.lower() in ("true", "false"):
        return Value(text, "boolean")
    return Value("", "null") if text in _NULLS else None


def _number(text: str) -> Value | None:
    bare = _SUFFIX.sub("", text) if text[:2].lower() != "0x" else text.rstrip("uUlL")
    if _NUMBER.fullmatch(bare):
        return Value(bare, "number")
    if found := _DURATION.fullmatch(text):
        return Value(f"{found[1] or found[3] or 1}{_UNITS[found[2]]}", "string")
    number = evaluate_text(text)
    return None if number is None else Value(str(number), "number")


def _reference(text: str) -> Value:
    return computed(text[:MAX_SOURCE], text if _REFERENCE.fullmatch(text) else "")
