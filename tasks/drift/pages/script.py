"""The documentation of scripts: comment headers, docstrings, POD and usage texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.chunk.block import Block
from tasks.chunk.comments import leading_blocks, syntax_of
from tasks.chunk.headers import LANGUAGES
from tasks.chunk.pod import pod_blocks
from tasks.chunk.usage import usage_blocks
from tasks.drift.pages.page import Page, Span, Term

_NAMES = re.compile(
    r"\s{0,8}([A-Z][A-Z0-9_]{2,60}(?:, [A-Z][A-Z0-9_]{2,60}){0,6})(?:$|\s{2,}|\s?[-:=\u2013\u2014(]|\s<)"
)
_CODE = re.compile(r"`([^`\n]{1,200})`")
_USAGE = re.compile(r"usage|help|synopsis|USAGE|HELP|SYNOPSIS|Usage|Help")


def read_script_page(path: str, text: str) -> Page:
    """What a script says of itself: the names that begin a line, and code in backticks."""
    lines = tuple(_documentation(path, text))
    spans = tuple(Span(number, found[1]) for number, line in lines for found in _CODE.finditer(line))
    return Page(spans, tuple(_terms(lines)), documentation=lines)


def _documentation(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line of a script's blocks of documentation, with comment markers stripped."""
    last = 0
    for block in sorted(_blocks(path, text), key=lambda block: block.line_start):
        if block.line_start > last:
            yield from enumerate(block.texts, start=block.line_start)
            last = block.line_end


def _blocks(path: str, text: str) -> list[Block]:
    lines = text.split("\n")
    suffix = "." + path.rpartition(".")[2].lower()
    language = LANGUAGES.get(suffix) or next((name for name in LANGUAGES.values() if name in lines[0][:80]), "")
    blocks = leading_blocks(lines, syntax_of(language))
    # Python keeps its usage in calls of its parser, and looking for texts in each line of a module takes long.
    if language != "python" and _USAGE.search(text):
        blocks += usage_blocks(lines)
    if language == "perl":
        blocks += pod_blocks(lines)
    return blocks


def _terms(lines: Sequence[tuple[int, str]]) -> Iterator[Term]:
    for number, line in lines:
        if "_" in line and (found := _NAMES.match(line)):
            yield from (Term(number, name, "header") for name in found[1].split(", "))
