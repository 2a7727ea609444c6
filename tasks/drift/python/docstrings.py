"""Defaults that docstrings state of the parameters of their own function or class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import re2

from tasks.drift.python.modules import Function, blocks, parse
from tasks.drift.tree import TextFile

_LITERAL = (
    r"(``[^`\n]{1,80}``|`[^`\n]{1,80}`|\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'|True|False|None"
    r"|-?(?:\d[\d_]*(?:[.,]\d+)*|\.\d+)(?:e-?\d+)?(?: ?[A-Za-z%]{1,12})?)"
)
_DEFAULT = (
    r"(?:[Dd]efaults? (?:to|is|value is|=)|[Dd]efault(?: value)?\s?[:=]|, (?:by )?default)\s?"
    rf"{_LITERAL}(?:[\s.,;)\]]|$)"
)
# What may follow says under which condition it holds.
_STATED = re2.compile(rf"{_DEFAULT}(.{{0,60}})")
_WORTH_A_LOOK = re2.compile(rf"{_DEFAULT}")
_NUMPY = re2.compile(r"^\s*(\w+)\s?:\s\S")
_SPHINX = re2.compile(
    r"^\s*:(?:param|parameter|arg|argument|keyword|kwarg)\s+(?:[\w.\[\], |]{1,60}\s)?\*{0,2}(\w+)\s*:"
)
_GOOGLE = re2.compile(r"^\s*\*{0,2}`{0,2}(\w+)`{0,2}\s?(?:\([^()]{1,120}(?:\([^()]*\)[^()]*)?\))?\s?:\s\S")
_LIST = re2.compile(r"^\s*[-*]\s+[*`]{0,2}(\w+)[*`]{0,2}\s?(?:\([^()]{1,80}\))?\s?[:–—-]")
_FIELD = re2.compile(r"^\s*:\w+")
_SUBJECTS = frozenset({"it", "and", "which", "that", "the", "optional", "value", "this", "parameter", "by"})
_CONTRAST = re2.compile(r"(?i)\b(?:but|if|when|unless|otherwise|while|where)\b")
_CONDITION = re2.compile(r"(?i)\b(?:if|when|unless|on|for|in|or|otherwise|except|but|else|and)\b")


@dataclass(frozen=True, slots=True)
class StatedDefault:
    """A default in a docstring."""

    line: int
    parameter: str
    documented: str
    owner: Function | ast.ClassDef
    label: str
    """The owner's name; of a constructor, that of its class."""


def stated_defaults(file: TextFile) -> Iterator[StatedDefault]:
    """The defaults that the docstrings of a module state, by definition."""
    if not _WORTH_A_LOOK.search(file.text):
        return
    tree = parse(file.text)
    for node, label in _definitions(tree) if tree else ():
        if (text := _docstring(node)) and "efault" in str(text.value):
            lines = range(text.lineno, (text.end_lineno or text.lineno) + 1)
            for number, parameter, documented in _in_docstring(file.lines, lines):
                yield StatedDefault(number, parameter, documented, node, label)


def _definitions(tree: ast.Module) -> Iterator[tuple[Function | ast.ClassDef, str]]:
    """Every function and class of a module with its name, those inside of others too, by line."""
    waiting: list[tuple[ast.stmt, str]] = [(node, "") for node in reversed(tree.body)]
    while waiting:
        node, owner = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node, owner if owner and node.name == "__init__" else node.name
            owner = node.name if isinstance(node, ast.ClassDef) else ""
        inner = [one for block in blocks(node) for one in block]
        waiting.extend((one, owner) for one in reversed(inner))


def _docstring(node: Function | ast.ClassDef) -> ast.Constant | None:
    first = node.body[0].value if isinstance(node.body[0], ast.Expr) else None
    return first if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def _in_docstring(lines: Sequence[str], numbers: range) -> Iterator[tuple[int, str, str]]:
    """Line, parameter and default, of each that is stated outright."""
    parameter, indent = "", -1
    for number in numbers:
        line = lines[number - 1][:400]
        depth = len(line) - len(line.lstrip())
        if (name := _parameter(line)) and (depth <= indent or indent < 0 or not parameter):
            parameter, indent = name, depth
        elif not line.strip() or depth <= indent:
            parameter = ""
        if parameter and "efault" in line and (documented := _outright(line)):
            yield number, parameter, documented


def _outright(line: str) -> str:
    """The default that a line states without conditions before or behind it; empty where it states none."""
    found = _STATED.search(line)
    if not found or _CONDITION.search(found[2]):
        return ""
    sentence = line[: found.start()].rpartition(". ")[2]
    # `Any weight that is missing defaults to 1` is not about the parameter.
    subject = "" if found[0].startswith(",") else sentence.rpartition(" ")[2] or sentence.strip().rpartition(" ")[2]
    about = not subject.isalpha() or subject.lower() in _SUBJECTS
    return str(found[1]) if about and not _CONTRAST.search(sentence) else ""


def _parameter(line: str) -> str:
    """The parameter that a line begins to describe; empty where it begins none."""
    if found := _SPHINX.match(line):
        return str(found[1])
    if _FIELD.match(line):
        return ""
    found = _NUMPY.match(line) or _GOOGLE.match(line) or _LIST.match(line)
    return str(found[1]) if found else ""
