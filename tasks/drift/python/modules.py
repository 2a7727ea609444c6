"""One Python module, by `ast`: the names that it binds, and whether it may bind more than can be seen."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that is bound to what another module holds."""

    module: str
    """Absolute; empty where the import leads out of the package's top."""
    name: str = ""
    """Empty for the module itself."""


Binding = Function | ast.ClassDef | Alias | None
"""What a name is bound to; None for a value, of which nothing more is known."""

# What may bind a name at run time.
_DYNAMIC_CALLS = frozenset({"globals", "setattr", "exec", "eval", "vars", "locals", "__import__"})


@dataclass(slots=True)
class Module:
    """What one module binds."""

    name: str
    is_package: bool
    bound: dict[str, Binding] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    """Modules of which it takes all names."""
    dynamic: bool = False


def read_module(name: str, text: str, is_package: bool) -> Module | None:
    """The module; None where it does not parse."""
    tree = parse(text)
    if tree is None:
        return None
    module = Module(name, is_package)
    _bind(module, tree.body)
    module.dynamic = "__getattr__" in module.bound or "sys.modules[" in text or _calls_for_names(tree, text)
    return module


def _calls_for_names(tree: ast.Module, text: str) -> bool:
    if not any(f"{name}(" in text for name in _DYNAMIC_CALLS):
        return False
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id in _DYNAMIC_CALLS for called in calls)


def parse(text: str) -> ast.Module | None:
    """The syntax tree of a text; None where it is no Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def members(node: ast.ClassDef) -> dict[str, Binding]:
    """What the body of a class binds, and what its methods give `self`, `cls` and a new object."""
    inner = Module("", False)
    _bind(inner, node.body)
    found = dict(inner.bound)
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and isinstance(one.value, ast.Name):
            found.setdefault(one.attr, None)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value.isidentifier():
            # `__slots__`, and names that are listed to be set one by one.
            found.setdefault(one.value, None)
    return found


def _bind(module: Module, body: Sequence[ast.stmt]) -> None:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            # Of several, which may depend on the version of Python, nothing is known but that they are there.
            module.bound[node.name] = None if node.name in module.bound else node
        elif isinstance(node, ast.Import):
            for one in node.names:
                module.bound[one.asname or one.name.partition(".")[0]] = Alias(
                    one.name if one.asname else one.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            _bind_from(module, node)
        else:
            for target in _targets(node):
                if isinstance(target, ast.Name):
                    module.bound[target.id] = None
            for inner in blocks(node):
                _bind(module, inner)


def _bind_from(module: Module, node: ast.ImportFrom) -> None:
    source = _absolute(module, node)
    for one in node.names:
        if one.name == "*":
            module.stars.append(source)
        else:
            module.bound[one.asname or one.name] = Alias(source, one.name)


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    above = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*above, *([node.module] if node.module else [])]) if above else ""


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement binds, with the items of tuples one by one."""
    given: list[ast.expr] = []
    match node:
        case ast.Assign():
            given = list(node.targets)
        case ast.AnnAssign() | ast.AugAssign() | ast.For() | ast.AsyncFor() | ast.NamedExpr():
            given = [node.target]
        case ast.With() | ast.AsyncWith():
            given = [item.optional_vars for item in node.items if item.optional_vars]
        case ast.Delete():
            given = []
        case _ if type(node).__name__ == "TypeAlias":
            given = [node.name]  # type: ignore[attr-defined]  # from Python 3.12 on
    while given:
        one = given.pop()
        if isinstance(one, ast.Tuple | ast.List):
            given.extend(one.elts)
        elif isinstance(one, ast.Starred):
            given.append(one.value)
        else:
            yield one


def blocks(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The statements inside of `if`, `try`, `with`, loops and `match`, and those of a class or function."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body
    for case in getattr(node, "cases", []):
        yield case.body
