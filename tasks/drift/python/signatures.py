"""Parameters: those of a definition, and those that a document declares, with their defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tasks.drift.python.modules import Function, parse
from tasks.drift.truths.python_values import dotted

_TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod", "contextmanager", "asynccontextmanager"}
    | {"contextlib.contextmanager", "contextlib.asynccontextmanager", "override", "final", "typing.final"}
    | {"lru_cache", "functools.lru_cache", "cache", "functools.cache"}
)
"""Decorators that leave the parameters as they are."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function."""

    defaults: Mapping[str, ast.expr | None] = field(default_factory=dict)
    """Parameter -> its default; None where it has none."""
    open: bool = False
    """It takes others (`*args`, `**kwargs`)."""


def signature_of(node: Function | ast.ClassDef) -> Signature | None:
    """The parameters by which a function or a class can be called; None where decorators or bases may change them."""
    own = definition_of(node)
    decorators = [*node.decorator_list, *(own.decorator_list if own and own is not node else ())]
    bare = (one.func if isinstance(one, ast.Call) else one for one in decorators)
    if own is None or any(dotted(one) not in _TRANSPARENT for one in bare):
        return None
    return parameters_of(own)


def definition_of(node: Function | ast.ClassDef) -> Function | None:
    """The function itself, or a class's own constructor; None where it has none, or several."""
    if not isinstance(node, ast.ClassDef):
        return node
    made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    return made[0] if len(made) == 1 else None


def parameters_of(node: Function) -> Signature:
    """The parameters as the definition spells them, whatever decorators do: those that its docstring is about."""
    return Signature(dict(_parameters(node.args)), bool(node.args.vararg or node.args.kwarg))


def declared(text: str) -> Mapping[str, ast.expr | None]:
    """The parameters that a document declares: `a, b=3`, `a[, b=3]`; none where it can't be read or is abridged."""
    if "..." in text or "…" in text:
        return {}
    # `func(a[, b])` is how optional parameters were written before defaults were.
    for spelled in (text, text.replace("[,", ",").replace("[", "").replace("]", "")):
        tree = parse(f"def _({spelled}): pass")
        if tree and isinstance(tree.body[0], ast.FunctionDef):
            return dict(_parameters(tree.body[0].args))
    return {}


def spelled(node: ast.expr) -> str:
    """The source text of an expression; empty where it is nested beyond all reason."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return ""


def _parameters(args: ast.arguments) -> Iterator[tuple[str, ast.expr | None]]:
    placed = [*args.posonlyargs, *args.args]
    yield from ((one.arg, None) for one in placed[: len(placed) - len(args.defaults)])
    yield from (
        (one.arg, default)
        for one, default in zip(placed[len(placed) - len(args.defaults) :], args.defaults, strict=True)
    )
    yield from ((one.arg, default) for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True))
