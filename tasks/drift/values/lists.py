"""Lists: `a,b` is `[a, b]` is `["a", "b"]` is `a b`, and a list of one is its item."""

from __future__ import annotations

import re2

from schemas.claims import Verdict
from tasks.drift.values.markup import peeled
from tasks.drift.values.scalars import SCALARS

_BRACKETS = {"[": "]", "(": ")", "{": "}"}
_CALL = re2.compile(r"(?:list|tuple|set|frozenset|array)\(\s*([\[({].*[\])}])\s*\)")


def lists(left: str, right: str, option: str) -> Verdict | None:
    """Whether two lists hold the same items, of which at least one is a list; unknown where only the order differs."""
    one, other = _items(left), _items(right)
    if one is None and other is None:
        return None
    ours, theirs = _made_alike(one, left, other), _made_alike(other, right, one)
    if len(ours) == len(theirs) and all(_same(*pair, option) for pair in zip(ours, theirs, strict=True)):
        return "agrees"
    if sorted(map(str.casefold, ours)) == sorted(map(str.casefold, theirs)):
        return "unknown"
    return "disagrees"


def _same(one: str, other: str, option: str) -> bool:
    return any(equality(one, other, option) == "agrees" for equality in SCALARS.values())


def _made_alike(items: list[str] | None, text: str, other: list[str] | None) -> list[str]:
    """The items of a text; where it is no list, its blanks separate them if the other list is longer than one."""
    if items is not None:
        return items
    return text.split() if other is not None and len(other) > 1 else [text]


def _items(text: str) -> list[str] | None:
    if found := _CALL.fullmatch(text):
        text = found[1]
    enclosed = len(text) > 1 and _BRACKETS.get(text[0]) == text[-1]
    if not enclosed and "," not in text and "\n" not in text:
        return None
    parts = _split(text[1:-1] if enclosed else text)
    return [peeled(part) for part in parts if part.strip()] if parts is not None else None


def _split(text: str) -> list[str] | None:
    """The parts between commas and line ends that stand outside quotes; None where something is nested or open."""
    parts, quote, start = [], "", 0
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'`" and not text[start:at].strip():
            quote = letter
        elif letter in "[]{}":
            return None
        elif letter in ",\n":
            parts.append(text[start:at])
            start = at + 1
    return None if quote else [*parts, text[start:]]
