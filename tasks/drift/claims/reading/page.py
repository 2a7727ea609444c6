"""A file as its claims are read: which of its lines document something, and where their text begins."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from tasks.drift.claims.reading.fences import code_lines
from tasks.drift.claims.reading.syntax import DOCUMENTS, Syntax, syntax_of
from tasks.drift.claims.reading.texts import (
    Docstring,
    HelpLine,
    docstrings,
    help_lines,
    parse,
    string_lines,
    usage_lines,
)
from tasks.drift.tree import TextFile

Region = Literal["prose", "code", "comment", "trailing", "docstring", "usage"]
"""`trailing` is a comment behind code, `code` what stands in a code block of a document."""

MAX_LINE = 4_000
"""In characters: nobody documents an option on a longer line."""

_HASH = re.compile(r"\s*(?:#+|;+|REM\b|--(?=\s))\|?")
_SLASH = re.compile(r"\s*(?://+|/\*+|\*+(?!/)|#+)")
_QUOTE = re.compile(r"^\s*[rRuU]?(?:\"\"\"|''\')")
_TRAILING = re.compile(r"(?<=\s)(?:#|//|;)\s")


@dataclass(frozen=True, slots=True)
class Line:
    """The documentation on one line."""

    number: int
    text: str
    """Without the comment marker, and without what stands before it."""
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
        # Looks at a claim's surroundings come back to the same lines.
        self._seen: dict[int, Line | None] = {}

    @cached_property
    def defaulting(self) -> Sequence[Line]:
        """The documentation lines that say something of a default, in order: all that most shapes look at."""
        return list(self.mentions("efault", "EFAULT"))

    def mentions(self, *needles: str) -> Iterator[Line]:
        """The documentation lines that hold one of the strings, in order."""
        numbers = {number for needle in needles for number in self._holding(needle)} if self.syntax else ()
        return (line for number in sorted(numbers) if (line := self.line(number)))

    def _holding(self, needle: str) -> Iterator[int]:
        text, number, counted = self.file.text, 1, 0
        found = text.find(needle)
        while found >= 0:
            number += text.count("\n", counted, found)
            counted = found
            yield number
            found = text.find(needle, found + len(needle))

    def line(self, number: int) -> Line | None:
        """The documentation on a line; None where there is none, and beyond the file's ends."""
        if number not in self._seen:
            self._seen[number] = self._read(number)
        return self._seen[number]

    def _read(self, number: int) -> Line | None:
        if not 0 < number <= len(self.lines) or len(raw := self.lines[number - 1]) > MAX_LINE:
            return None
        if self.syntax in DOCUMENTS:
            return self._document_line(number, raw)
        if number in self.helps:
            return _part(number, raw, self.helps[number].text, "usage")
        if number in self.texts:
            return _part(number, raw, self.texts[number], "docstring" if self.syntax == "python" else "usage")
        return self._comment(number, raw) if self.syntax and number not in self._strings else None

    def _document_line(self, number: int, raw: str) -> Line:
        if number not in self.code:
            return Line(number, raw, 0, "prose")
        return self._comment(number, raw) or Line(number, raw, 0, "code")

    def _comment(self, number: int, raw: str) -> Line | None:
        found = (_SLASH if self.syntax == "slashes" else _HASH).match(raw)
        if not found:
            return _behind_code(number, raw)
        text = raw[found.end() :].rstrip().removesuffix("*/")
        return None if raw.startswith("#!") else Line(number, text, found.end(), "comment")

    @cached_property
    def code(self) -> Mapping[int, str]:
        """Line inside of a document's code block -> the block's language."""
        return code_lines(self.lines, self.syntax)

    @cached_property
    def texts(self) -> Mapping[int, str]:
        """Line of a script that is text but no comment -> the text."""
        if self.syntax == "python":
            spans = (range(found.start, found.end + 1) for found in self.docstrings)
            numbers = [number for span in spans for number in span if number <= len(self.lines)]
            return {number: _QUOTE.sub("", self.lines[number - 1], count=1) for number in numbers}
        return usage_lines(self.lines) if self.syntax in ("hashes", "slashes") else {}

    @cached_property
    def docstrings(self) -> Sequence[Docstring]:
        """The docstrings of a Python file that says something of defaults in its texts."""
        return docstrings(self._module) if self._module else ()

    @cached_property
    def helps(self) -> Mapping[int, HelpLine]:
        """Line of a Python file -> the argument that it explains, and what it says."""
        return help_lines(self._module, self.lines) if self._module and "help=" in self.file.text else {}

    @cached_property
    def _strings(self) -> frozenset[int]:
        return string_lines(self._module) if self._module else frozenset()

    @cached_property
    def _module(self) -> ast.Module | None:
        return parse(self.file.text) if self.syntax == "python" else None


@lru_cache(maxsize=4)
def page_of(file: TextFile) -> Page:
    """The page of a file; the last few are kept, since each shape asks for it."""
    return Page(file)


def _part(number: int, raw: str, text: str, region: Region) -> Line:
    return Line(number, text, max(raw.find(text), 0), region)


def _behind_code(number: int, raw: str) -> Line | None:
    """The comment behind code on the same line."""
    for found in _TRAILING.finditer(raw):
        before = raw[: found.start()]
        if before.strip() and before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
            return Line(number, raw[found.end() - 1 :].rstrip(), found.end() - 1, "trailing")
    return None
