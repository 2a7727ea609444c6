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
_QUOTES = " \t\"'rRuU"
_SCOPES = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Docstring(NamedTuple):
    """Where a docstring stands, and of what it is."""

    start: int
    end: int
    names: tuple[str, ...]
    """The classes and functions around it, outermost first; none for a module."""


class HelpLine(NamedTuple):
    """A line of the text that explains an argument of a command line."""

    option: str
    text: str


def parse(text: str) -> ast.Module | None:
    """A Python file's syntax tree; None where its texts say nothing of defaults, or it can't be parsed."""
    if len(text) > MAX_PYTHON or not _CLAIMING.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def string_lines(module: ast.Module) -> frozenset[int]:
    """The lines of a Python file's strings of several lines, in which `#` is no comment."""
    strings = [node for node in ast.walk(module) if isinstance(node, ast.Constant | ast.JoinedStr)]
    spans = ((node.lineno, node.end_lineno or node.lineno) for node in strings)
    return frozenset(number for start, end in spans if end > start for number in range(start, end + 1))


def docstrings(module: ast.Module) -> Sequence[Docstring]:
    """The docstrings of a Python file, by line."""
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


def help_lines(module: ast.Module, lines: Sequence[str]) -> Mapping[int, HelpLine]:
    """Line -> what it says, for the `help=` texts of arguments that are declared with one."""
    found: dict[int, HelpLine] = {}
    for node in ast.walk(module):
        texts = (
            [keyword.value for keyword in node.keywords if keyword.arg == "help"] if isinstance(node, ast.Call) else []
        )
        if isinstance(node, ast.Call) and texts and (option := _declared(node.args)):
            found |= {number: HelpLine(option, text) for number, text in _text_of(texts[0], lines)}
    return found


def _declared(arguments: Sequence[ast.expr]) -> str:
    """The flag, in its long form, or the name that a call declares."""
    names = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return next((name for name in names if name.startswith("--")), names[0] if names else "")


def _text_of(value: ast.expr, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of a string, each as it stands in the file."""
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str) or "efault" not in value.value:
        return
    last = value.end_lineno or value.lineno
    for number in range(value.lineno, min(last, len(lines)) + 1):
        raw = lines[number - 1].encode()
        start = value.col_offset if number == value.lineno else 0
        end = value.end_col_offset if number == last else len(raw)
        yield number, raw[start:end].decode("utf-8", "ignore").strip(_QUOTES)


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
