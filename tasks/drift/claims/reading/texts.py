"""Text inside of scripts that is no comment: docstrings, usage texts, and strings of several lines."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tasks.chunk.usage import usage_blocks

MAX_PYTHON = 1_000_000
"""In characters: a longer file is generated."""
MAX_STRING_LINES = 400

_OPENS = re.compile(r"\s*(?:(?:export|readonly|local|declare)\s+(?:-\w+\s+)?)?\w{1,80}=\$?([\"'])([^\"']*)$")
# Most files say nothing of defaults in a docstring, and parsing takes long.
_CLAIMING = re.compile(
    r"[Dd]efault(?:s to|ing to| to|:| is| value| of|\s?=\s)|[(\[,] ?default[ :]| \(default\)|abled by default"
)
_SCOPES = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Docstring(NamedTuple):
    """Where a docstring stands, and of what it is."""

    start: int
    end: int
    names: tuple[str, ...]
    """The classes and functions around it, outermost first; none for a module."""


def docstrings(text: str) -> Sequence[Docstring]:
    """The docstrings of a Python file, by line; none where it says nothing of defaults or can't be parsed."""
    if len(text) > MAX_PYTHON or not _CLAIMING.search(text):
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return sorted(_docstrings(module))


def _docstrings(module: ast.Module) -> Iterator[Docstring]:
    stack: list[tuple[ast.AST, tuple[str, ...]]] = [(module, ())]
    while stack:
        node, names = stack.pop()
        body = getattr(node, "body", [])
        if isinstance(node, _SCOPES):
            names = names if isinstance(node, ast.Module) else (*names, node.name)
            if body and (place := _docstring(body[0])):
                yield Docstring(*place, names)
        stack += [(child, names) for child in body if isinstance(child, _SCOPES | ast.If | ast.Try)]


def _docstring(first: ast.stmt) -> tuple[int, int] | None:
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.lineno, first.end_lineno or first.lineno
    return None


def usage_lines(lines: Sequence[str]) -> Mapping[int, str]:
    """Line -> its text, for the usage texts of a script and the strings that run over several lines."""
    texts = dict(_strings(lines))
    for block in usage_blocks(lines):
        for number, text in enumerate(block.texts, start=block.line_start):
            if text.strip() and text in lines[number - 1]:
                texts[number] = text
    return texts


def _strings(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of the strings that are assigned to a variable, without the first and last."""
    quote, left = "", 0
    for number, line in enumerate(lines, start=1):
        if quote:
            left -= 1
            if quote not in line and left:
                yield number, line
            else:
                quote = ""
        elif ("='" in line or '="' in line or "=$" in line) and (found := _OPENS.match(line)):
            quote, left = found[1], MAX_STRING_LINES
