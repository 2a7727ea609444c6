"""Tree-sitter grammars: the nodes that a query captures in a text, with parsers and queries made once."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, QueryCursor, Tree

MAX_DEPTH = 500
"""Open brackets: a query takes quadratic time over a deep tree."""
MAX_BACKTICKS = 4_000
"""Each of which the grammar takes for one level more."""
MAX_SECONDS = 1.0
"""Processor time for one text, thousands of times what a script takes; the parser is quadratic on some hostile ones."""

# The scanner of the bash grammar looks characters up in a table of ASCII's size and crashes on one far beyond it, such
# as U+F0EA1 behind `=''{`. A letter in the place of each such byte is the same word to the grammar.
_ASCII = bytes(byte if byte < 128 else ord("x") for byte in range(256))
_BRACKET = re.compile(rb"[\[\](){}]")
_CHUNK = 65_536
_MODULES = {"bash": ("tree_sitter_bash", "language")}


class Source:
    """A text as the parser counts it; a node's own `text` would ask the parser's callback again, byte by byte."""

    def __init__(self, text: str) -> None:
        self.raw = text.encode("utf-8", "replace")

    def of(self, node: Node | None) -> str:
        """The text of a node; empty where there is none."""
        return "" if node is None else self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """The text between two bytes."""
        return self.raw[start:end].decode("utf-8", "replace")


def captured(language: str, query: str, source: Source) -> list[tuple[Node, str]]:
    """Each captured node with the name of its capture, in the order of the text, outer ones first; none where the text
    nests too deeply or takes the parser too long."""
    if _depth(source.raw) > MAX_DEPTH or source.raw.count(b"`") > MAX_BACKTICKS:
        return []
    tree = _parse(_parser(language), source.raw.translate(_ASCII))
    if tree is None:
        return []
    captures = _cursor(language, query).captures(tree.root_node)
    found = [(node.start_byte, -node.end_byte, name, node) for name, nodes in captures.items() for node in nodes]
    found.sort(key=lambda one: one[:3])
    return [(node, name) for _, _, name, node in found]


def _depth(raw: bytes) -> int:
    """The most brackets that are open at once."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(raw):
        depth = max(0, depth + (1 if bracket in b"([{" else -1))
        deepest = max(deepest, depth)
    return deepest


def _parse(parser: Parser, raw: bytes) -> Tree | None:
    end = process_time() + MAX_SECONDS
    try:
        return parser.parse(
            lambda offset, _: raw[offset : offset + _CHUNK], progress_callback=lambda *_: process_time() > end
        )
    except ValueError:
        parser.reset()
        return None


def line_of(node: Node) -> int:
    """The line a node starts on, from 1."""
    return node.start_point[0] + 1


@lru_cache(maxsize=len(_MODULES))
def _parser(language: str) -> Parser:
    from tree_sitter import Language, Parser

    module, function = _MODULES[language]
    return Parser(Language(getattr(import_module(module), function)()))


@lru_cache(maxsize=8)
def _cursor(language: str, query: str) -> QueryCursor:
    from tree_sitter import Query, QueryCursor

    grammar = _parser(language).language
    assert grammar is not None
    return QueryCursor(Query(grammar, query))
