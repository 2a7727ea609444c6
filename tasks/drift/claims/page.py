"""A file as its claims are read: which of its lines document something, and where their text begins."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from tasks.chunk.usage import usage_blocks
from tasks.drift.claims.syntax import Syntax, syntax_of
from tasks.drift.tree import TextFile

Region = Literal["prose", "code", "comment", "trailing", "docstring", "usage"]

MAX_LINE = 4_000
"""In characters: nobody documents an option on a longer line."""
MAX_PYTHON = 1_000_000

_HASH = re.compile(r"\s*(?:#+|;+|\"\"\"|REM\b|--)(?:\|)?")
_SLASH = re.compile(r"\s*(?://+|/\*+|\*+(?!/)|#+)")
_TRAILING = re.compile(r"(?<=\s)(?:#|//|;)\s")
_FENCE = re.compile(r"[\s>]{0,12}(`{3,}|~{3,})\s*([\w+.-]*)")
_CODE_BLOCK = re.compile(r"\.\. (?:code|code-block|sourcecode|prompt|parsed-literal|literalinclude)::\s*([\w+.-]*)")
_OPENS_TEXT = re.compile(r"\s*(?:(?:export|readonly|local|declare)\s+(?:-\w+\s+)?)?\w{1,80}=\$?([\"'])([^\"']*)$")
MAX_TEXT_LINES = 400
_CLAIMING = re.compile(r"[Dd]efault(?:s to|ing to| to|:| is| value| of|\s?=\s)|[(\[,] ?default[ :]|=> | \(default\)")


@dataclass(frozen=True, slots=True)
class Line:
    """The documentation on one line."""

    number: int
    text: str
    """Without the comment marker, and without what stands behind it."""
    column: int
    """Where the text begins in the file's line."""
    region: Region

    @property
    def indent(self) -> int:
        """Where the first word stands in the file's line."""
        return self.column + len(self.text) - len(self.text.lstrip())


class Page:
    """One file's documentation lines."""

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self.syntax: Syntax = syntax_of(file)
        self.lines = file.lines

    def mentions(self, *needles: str) -> Iterator[Line]:
        """The documentation lines that hold one of the strings, in order."""
        if not self.syntax or not any(needle in self.file.text for needle in needles):
            return
        for number, raw in enumerate(self.lines, start=1):
            if any(needle in raw for needle in needles) and (line := self.line(number)):
                yield line

    def line(self, number: int) -> Line | None:
        """The documentation on a line; None where there is none, and beyond the file's ends."""
        if not 0 < number <= len(self.lines) or len(raw := self.lines[number - 1]) > MAX_LINE:
            return None
        match self.syntax:
            case "":
                return None
            case "settings":
                return _commented(number, raw, _HASH) or _trailing(number, raw)
            case "python" | "slashes" | "hashes":
                return self._script_line(number, raw)
            case _:
                return self._prose_line(number, raw)

    def _prose_line(self, number: int, raw: str) -> Line:
        if number not in self.fences:
            return Line(number, raw, 0, "prose")
        return _commented(number, raw, _HASH) or _trailing(number, raw) or Line(number, raw, 0, "code")

    def _script_line(self, number: int, raw: str) -> Line | None:
        if number in self.texts:
            region, text = self.texts[number]
            return Line(number, text, max(raw.find(text), 0), region)
        return _commented(number, raw, _SLASH if self.syntax == "slashes" else _HASH) or _trailing(number, raw)

    @cached_property
    def fences(self) -> Mapping[int, str]:
        """Line inside a fenced block -> the block's language."""
        if self.syntax == "markdown":
            return dict(_fenced(self.lines))
        if self.syntax == "asciidoc":
            return dict(_listings(self.lines))
        if self.syntax == "rst":
            return dict(_literals(self.lines))
        return {}

    @cached_property
    def texts(self) -> Mapping[int, tuple[Region, str]]:
        """Line of a script that is text but no comment -> what it is, and the text."""
        if self.syntax == "python":
            return self._docstrings
        texts: dict[int, tuple[Region, str]] = {number: ("usage", text) for number, text in _quoted(self.lines)}
        for block in usage_blocks(self.lines):
            for number, text in enumerate(block.texts, start=block.line_start):
                if text.strip() and text in self.lines[number - 1]:
                    texts[number] = "usage", text
        return texts

    @cached_property
    def _docstrings(self) -> dict[int, tuple[Region, str]]:
        return {
            number: ("docstring", self.lines[number - 1])
            for start, end, _ in self.scopes
            for number in range(start, end + 1)
        }

    @cached_property
    def scopes(self) -> Sequence[tuple[int, int, tuple[str, ...]]]:
        """First line, last line, and enclosing names of each docstring of a Python file."""
        worth = self.syntax == "python" and len(self.file.text) <= MAX_PYTHON and _CLAIMING.search(self.file.text)
        return list(_docstrings_of(self.file.text)) if worth else []


@lru_cache(maxsize=4)
def page_of(file: TextFile) -> Page:
    """The page of a file; the last few are kept, since each shape asks for it."""
    return Page(file)


def _commented(number: int, raw: str, marker: re.Pattern[str]) -> Line | None:
    found = marker.match(raw)
    if not found or raw.startswith("#!"):
        return None
    text = raw[found.end() :].rstrip().removesuffix("*/")
    return Line(number, text, found.end(), "comment")


def _trailing(number: int, raw: str) -> Line | None:
    """The comment behind code on the same line."""
    for found in _TRAILING.finditer(raw):
        before = raw[: found.start()]
        if before.strip() and before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
            return Line(number, raw[found.end() - 1 :].rstrip(), found.end() - 1, "trailing")
    return None


def _fenced(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence, language = "", ""
    for number, line in enumerate(lines, start=1):
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if found and not fence:
            fence, language = found[1], found[2]
        elif found and found[1].startswith(fence) and not line[found.end() :].strip() and not found[2]:
            fence = ""
        elif fence:
            yield number, language


def _quoted(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of strings that run over several of them, as scripts keep texts in variables."""
    quote = ""
    left = 0
    for number, line in enumerate(lines, start=1):
        if quote:
            left -= 1
            if quote not in line and left:
                yield number, line
            else:
                quote = ""
        elif found := _OPENS_TEXT.match(line) if ("='" in line or '="' in line or "=$" in line) else None:
            quote, left = found[1], MAX_TEXT_LINES


def _listings(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        bare = line.rstrip()
        if len(bare) >= 4 and bare[0] in "-." and not bare.strip(bare[0]):
            fence = bare if not fence else "" if bare == fence else fence
        elif fence:
            yield number, ""


def _literals(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The indented blocks after `::` and below `code-block` directives."""
    indent, language, opened = -1, "", False
    for number, line in enumerate(lines, start=1):
        bare = line.strip()
        depth = len(line) - len(line.lstrip())
        if indent >= 0 and bare and depth <= indent:
            indent = -1
        if indent >= 0 and bare:
            # The options of the directive are its first lines.
            opened = opened or not bare.startswith(":")
            if opened:
                yield number, language
        elif indent < 0 and bare.endswith("::") and not bare.startswith(".. "):
            indent, language, opened = depth, "", True
        elif indent < 0 and bare.startswith(".. ") and (found := _CODE_BLOCK.match(bare)):
            indent, language, opened = depth, found[1], False


def _docstrings_of(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    stack: list[tuple[ast.AST, tuple[str, ...]]] = [(module, ())]
    while stack:
        node, names = stack.pop()
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = (*names, node.name) if not isinstance(node, ast.Module) else names
            first = body[0] if body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                yield first.lineno, first.end_lineno or first.lineno, names
        stack += [(child, names) for child in body if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.Try)]
