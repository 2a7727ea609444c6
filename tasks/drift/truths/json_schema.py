"""JSON schemas: the `default` of each property, nested properties joined by dots."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import MAX_OPTION, Value, truth

MAX_DEPTH = 100
MAX_ITEMS = 200

# A token is a string, a bracket or a bare word; each begins with what the others can't.
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|[{}\[\]:,]|[^\s\"{}\[\]:,]+")
_NUMBER = re.compile(r"-?\d")
_CONSTANTS = {"true": Value("true", "boolean"), "false": Value("false", "boolean"), "null": Value("", "null")}


@dataclass(slots=True)
class _Open:
    """An object or array that is being read."""

    is_object: bool
    key: str = ""
    line: int = 0
    items: list[str] | None = None
    """The texts of an array of scalars; None once there is more in it."""
    empty: bool = True


def reads_json_schema(file: TextFile) -> bool:
    """Whether a JSON file declares properties with defaults."""
    return bare_suffix(file) == "json" and '"properties"' in file.text and '"default"' in file.text


def read_json_schema(file: TextFile) -> Iterator[Truth]:
    """Every default that is a scalar, a list of scalars, or empty."""
    for path, line, value in _defaults(file.text):
        option = ".".join(name for above, name in pairwise(path) if above == "properties")
        if option and path[-2:-1] != ["properties"] and len(option) <= MAX_OPTION:
            yield truth(file, "json-schema", option, line, value)


def _defaults(text: str) -> Iterator[tuple[list[str], int, Value]]:
    """The keys down to each `default`, its line, and its value."""
    stack: list[_Open] = []
    line, position = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", position, found.start())
        position, lexeme = found.start(), found[0]
        if lexeme in "{[":
            stack.append(_Open(lexeme == "{", items=[], line=line))
            if len(stack) > MAX_DEPTH:
                return
        elif lexeme in "}]":
            closed = stack.pop() if stack else None
            if closed and stack:
                yield from _closed(stack, closed)
        elif stack and lexeme not in ":,":
            behind_key = text[found.end() : found.end() + 20].lstrip().startswith(":")
            if stack[-1].is_object and behind_key:
                stack[-1].key, stack[-1].line, stack[-1].empty = _text(lexeme), line, False
            else:
                yield from _scalar(stack, lexeme)


def _path(stack: list[_Open]) -> list[str]:
    return [one.key for one in stack if one.is_object]


def _scalar(stack: list[_Open], lexeme: str) -> Iterator[tuple[list[str], int, Value]]:
    top = stack[-1]
    if not top.is_object:
        top.empty = False
        if top.items is not None and len(top.items) < MAX_ITEMS:
            top.items.append(_text(lexeme))
    elif top.key == "default":
        yield _path(stack), top.line, _value(lexeme)


def _closed(stack: list[_Open], closed: _Open) -> Iterator[tuple[list[str], int, Value]]:
    top = stack[-1]
    if not top.is_object:
        top.items, top.empty = None, False
    elif top.key == "default":
        if closed.empty:
            yield _path(stack), top.line, Value("{}", "map") if closed.is_object else Value("[]", "list")
        elif closed.items:
            yield _path(stack), top.line, Value(f"[{', '.join(closed.items)}]", "list")


def _text(lexeme: str) -> str:
    if not lexeme.startswith('"'):
        return lexeme
    try:
        return str(json.loads(lexeme, strict=False))
    except ValueError:
        return lexeme[1:-1]


def _value(lexeme: str) -> Value:
    if lexeme in _CONSTANTS:
        return _CONSTANTS[lexeme]
    return Value(_text(lexeme), "number" if _NUMBER.match(lexeme) else "string")
