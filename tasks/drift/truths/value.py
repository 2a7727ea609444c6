"""Value: what a file gives an option, as it is spelled there, and the rules that formats without types share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemas.claims import Truth, ValueKind
from tasks.drift.tree import TextFile

MAX_OPTION = 200
"""In characters: what is longer names no option."""

_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]{1,40}|(?:\d[\d_]{0,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,4})?)"
)
_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
_SUBSTITUTED = re.compile(r"\$\{|\$\(|\$[A-Za-z_]|\{\{|\{%|<%[ =]|%\([A-Za-z_]|@[A-Z_]{2,60}@")
_REFERENCE = re.compile(
    r"\$([A-Za-z_]\w{0,99})|\$\{([A-Za-z_]\w{0,99})\}|\{\{-? ?([A-Za-z_][\w.]{0,99}) ?-?\}\}|%\((\w{1,99})\)s"
)
_COMMENT = re.compile(r"[ \t](?:#|;(?=[ \t])|//(?=[ \t]))")


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its text without quotes, its kind, and the one option that it is the value of, if it is."""

    text: str
    kind: ValueKind
    refers: str = ""


def truth(
    file: TextFile, reader: str, option: str, line: int, value: Value, *, commented: bool = False, local: bool = False
) -> Truth:
    """The truth that a file gives an option a value on a line."""
    return Truth(option, value.text, value.kind, file.path, line, reader, commented, value.refers, local)


def untyped(text: str) -> Value:
    """A value in a format whose values are all text: the kind is what it looks like."""
    if text.lower() in _BOOLEANS:
        return Value(text, "boolean")
    return Value(text, "number" if _NUMBER.fullmatch(text) else "string")


def computed(text: str, refers: str = "") -> Value:
    """A value that the file does not spell out."""
    return Value(text, "computed", refers)


def setting_value(raw: str) -> Value:
    """The value that stands behind a separator in a line of settings: quotes and a comment behind it are taken off."""
    text, quote = unquoted(raw)
    if quote == "'" or not _SUBSTITUTED.search(text):
        return untyped(text)
    found = _REFERENCE.fullmatch(text)
    return computed(text, next(filter(None, found.groups())) if found else "")


def unquoted(raw: str) -> tuple[str, str]:
    """A value without its quotes and without the comment behind it, and the quote; it stays whole where the quote
    ends in the middle of it."""
    raw = raw.strip()
    if raw[:1] in ("'", '"'):
        end = raw.find(raw[0], 1)
        behind = raw[end + 1 :].strip()
        if end > 0 and (not behind or behind[0] in "#;,"):
            return raw[1:end], raw[0]
        return raw, ""
    if raw.startswith(("# ", "; ")) or raw in ("#", ";"):
        return "", ""
    found = _COMMENT.search(raw)
    return (raw[: found.start()].rstrip() if found else raw), ""
