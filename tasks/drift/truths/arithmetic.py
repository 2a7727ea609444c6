"""Arithmetic on literals, as in `60 * 60 * 24`: evaluated with bounds, and nothing but numbers."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

MAX_TEXT = 200
MAX_DEPTH = 20
_MAX_POWER = 128
_MAX_NUMBER = 10**40

Number = int | float

_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_SHIFTS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}


def evaluate(node: ast.AST, depth: int = 0) -> Number | None:
    """The number that an expression of literal numbers comes to; None for any other, and beyond the bounds."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int | float) and not isinstance(node.value, bool) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        number = evaluate(node.operand, depth + 1)
        return -number if number is not None and isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left, depth + 1), evaluate(node.right, depth + 1)
        return None if left is None or right is None else _apply(type(node.op), left, right)
    return None


def evaluate_text(text: str) -> Number | None:
    """The number that a text such as `5 * 60` comes to; None where it is more than arithmetic on numbers."""
    if len(text) > MAX_TEXT or not set(text) <= set("0123456789+-*/%()<> ._"):
        return None
    try:
        return evaluate(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _apply(kind: type[ast.operator], left: Number, right: Number) -> Number | None:
    if kind in _SHIFTS:
        whole = isinstance(left, int) and isinstance(right, int) and 0 <= right <= _MAX_POWER
        return _bounded(_SHIFTS[kind](int(left), int(right))) if whole and abs(left) < _MAX_NUMBER else None
    if kind not in _OPERATORS or (kind is ast.Pow and abs(right) > _MAX_POWER):
        return None
    try:
        result = _OPERATORS[kind](left, right) if abs(left) < _MAX_NUMBER and abs(right) < _MAX_NUMBER else None
    except (ArithmeticError, ValueError):
        return None
    return _bounded(result)


def _bounded(number: object) -> Number | None:
    return number if isinstance(number, int | float) and abs(number) < _MAX_NUMBER else None
