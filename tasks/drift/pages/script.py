"""The documentation of scripts: comment headers, docstrings and usage texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.chunks import Document
from tasks.chunk.headers import read_header
from tasks.drift.pages.page import Page, Span, Term

_NAMES = re.compile(
    r"\s{0,8}([A-Z][A-Z0-9_]{2,60}(?:, [A-Z][A-Z0-9_]{2,60}){0,6})(?:$|\s{2,}|\s?[-:=\u2013\u2014(]|\s<)"
)
_CODE = re.compile(r"`([^`\n]{1,200})`")


def documentation(path: str, text: str) -> list[tuple[int, str]]:
    """Number and text of each documentation line of a script, with comment markers stripped."""
    layout = read_header(Document("", path, "header", "", text, "", "", "", 0))
    numbered = zip(layout.documentation, enumerate(layout.lines, start=1), strict=True)
    return [line for documents, line in numbered if documents]


def read_script_page(path: str, text: str) -> Page:
    """What a script says of itself: the names that begin a line, and code in backticks."""
    lines = documentation(path, text)
    spans = tuple(Span(number, found[1]) for number, line in lines for found in _CODE.finditer(line))
    return Page(spans, tuple(_terms(lines)), documenting=frozenset(number for number, _ in lines))


def _terms(lines: list[tuple[int, str]]) -> Iterator[Term]:
    for number, line in lines:
        if "_" in line and (found := _NAMES.match(line)):
            yield from (Term(number, name, "header", line) for name in found[1].split(", "))
