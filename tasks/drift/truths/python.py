"""Python modules, by `ast`: constants, fields, parameters, environment look-ups and flags; nothing is ever run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.python_calls import Found, helpers_of, truths_of_call, truths_of_or
from tasks.drift.truths.python_definitions import truths_of_definition, truths_of_pair, truths_of_unset
from tasks.drift.truths.python_values import Source
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import MAX_OPTION, truth

_SHEBANG = re.compile(r"#!.{0,100}?\bpython[\d.]*\b")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def reads_python(file: TextFile) -> bool:
    """Whether a file is a Python module or script."""
    suffix = bare_suffix(file)
    return suffix in ("py", "pyw") or (not suffix and bool(_SHEBANG.match(file.text)))


def read_python(file: TextFile) -> Iterator[Truth]:
    """Every default that the module spells out; none where it does not parse."""
    module = _parse(file.text)
    if module is not None:
        for option, line, value in _truths_of(module, Source(file.text)):
            if 0 < len(option) <= MAX_OPTION:
                yield truth(file, "python", option, line, value)


def _parse(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _truths_of(module: ast.Module, source: Source) -> Iterator[Found]:
    helpers = helpers_of(module)
    seen: set[ast.AST] = set()
    # A stack instead of recursion: hostile nesting costs memory, not the process. Within functions, `above` is None.
    waiting: list[tuple[ast.AST, str | None]] = [(module, "")]
    while waiting:
        node, above = waiting.pop()
        if isinstance(node, ast.Call):
            if node not in seen:
                yield from truths_of_call(node, helpers, source)
        elif isinstance(node, ast.BoolOp):
            for call, found in truths_of_or(node, source):
                seen.add(call)
                yield found
        elif isinstance(node, ast.Tuple):
            yield from truths_of_pair(node, source)
        elif isinstance(node, ast.If):
            yield from truths_of_unset(node, source)
        elif isinstance(node, ast.stmt) and above is not None:
            yield from truths_of_definition(node, above, source)
        inside = _inside(node, above)
        waiting.extend((child, inside) for child in ast.iter_child_nodes(node))


def _inside(node: ast.AST, above: str | None) -> str | None:
    """What the names within a node stand behind."""
    if above is None or isinstance(node, _FUNCTIONS):
        return None
    return f"{above}{node.name}." if isinstance(node, ast.ClassDef) else above
