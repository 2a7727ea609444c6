"""Python expressions as values: literals, arithmetic on them, and what wraps them without changing them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from tasks.drift.truths.arithmetic import evaluate
from tasks.drift.truths.value import Value, computed, untyped

MAX_SOURCE = 300
"""Bytes of an expression that is kept as source."""
MAX_ITEMS = 200
_MAX_NESTING = 8

_WRAPPERS = frozenset(
    {"int", "float", "str", "bool", "Path", "PurePath", "PosixPath", "Decimal", "tuple", "list", "set"}
)
_WRAPPERS_OF_LISTS = frozenset({"frozenset"})
_EMPTY = {
    "list": Value("[]", "list"),
    "tuple": Value("[]", "list"),
    "set": Value("[]", "list"),
    "dict": Value("{}", "map"),
}
_JOINS = frozenset({"os.path.join", "path.join", "join"})


class Source:
    """A module's text, for the expressions that are kept as they stand."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._text.encode("utf-8", "replace").split(b"\n")

    def of(self, node: ast.expr) -> str:
        """The first line of an expression, as it stands."""
        line = self._lines[node.lineno - 1] if node.lineno <= len(self._lines) else b""
        end = node.end_col_offset if node.end_lineno == node.lineno and node.end_col_offset else len(line)
        return line[node.col_offset : min(end, node.col_offset + MAX_SOURCE)].decode("utf-8", "replace").strip()


def dotted(node: ast.expr | None) -> str:
    """The name of a name or of an attribute of names, `os.environ.get`; empty for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < _MAX_NESTING:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def value_of(node: ast.expr, source: Source, depth: int = 0) -> Value:
    """The value of an expression; computed where it is more than literals."""
    value = _literal(node, source, depth) if depth <= _MAX_NESTING else None
    if value is not None:
        return value
    name = dotted(node)
    return computed(source.of(node), "" if name.startswith(("self.", "cls.")) else name)


def _literal(node: ast.expr, source: Source, depth: int) -> Value | None:
    match node:
        case ast.Constant():
            return _constant(node, source)
        case ast.List() | ast.Tuple() | ast.Set():
            return _list(node.elts, source, depth)
        case ast.Dict():
            return None if node.keys else Value("{}", "map")
    if (number := evaluate(node)) is not None:
        return Value(source.of(node) if isinstance(node, ast.UnaryOp) else str(number), "number")
    if (text := literal_text(node)) is not None:
        return Value(text, "string")
    return _wrapped(node, source, depth) if isinstance(node, ast.Call) else None


def environment_value(node: ast.expr, source: Source) -> Value:
    """The value of a default in place of an environment variable: text, of the kind that it looks like."""
    value = value_of(node, source)
    return untyped(value.text) if value.kind == "string" else value


def literal_text(node: ast.expr, depth: int = 0) -> str | None:
    """The text that strings come to, joined by `+`, by `/` behind a path, or in an f-string without fields."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if depth > _MAX_NESTING:
        return None
    if isinstance(node, ast.JoinedStr):
        return _joined("", [literal_text(part, depth + 1) for part in node.values])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Div):
        sides = [literal_text(node.left, depth + 1), literal_text(node.right, depth + 1)]
        return _joined("" if isinstance(node.op, ast.Add) else "/", sides)
    if isinstance(node, ast.Call) and not node.keywords and node.args:
        name = dotted(node.func)
        if name in _JOINS or name.rpartition(".")[2] in ("Path", "PurePath", "PosixPath"):
            return _joined("/", [literal_text(part, depth + 1) for part in node.args])
    return None


def _joined(by: str, parts: Sequence[str | None]) -> str | None:
    texts = [part for part in parts if part is not None]
    return by.join(texts) if len(texts) == len(parts) else None


def _constant(node: ast.Constant, source: Source) -> Value:
    match node.value:
        case None:
            return Value("", "null")
        case bool():
            return Value(str(node.value), "boolean")
        case int() | float():
            return Value(source.of(node), "number")
        case str():
            return Value(node.value, "string")
        case bytes():
            return Value(node.value.decode("utf-8", "replace"), "string")
        case _:
            return computed(source.of(node))


def _list(items: Sequence[ast.expr], source: Source, depth: int) -> Value:
    if len(items) > MAX_ITEMS:
        return computed("")
    values = [value_of(item, source, depth + 1) for item in items]
    text = f"[{', '.join(value.text for value in values)}]"
    plain = all(value.kind not in ("computed", "map") for value in values)
    return Value(text, "list") if plain else computed(text[:MAX_SOURCE])


def _wrapped(node: ast.Call, source: Source, depth: int) -> Value | None:
    name = dotted(node.func).rpartition(".")[2]
    if node.keywords or len(node.args) > 1:
        return None
    if not node.args:
        return _EMPTY.get(name)
    if name not in _WRAPPERS | _WRAPPERS_OF_LISTS:
        return None
    value = value_of(node.args[0], source, depth + 1)
    return None if value.kind == "computed" else value
