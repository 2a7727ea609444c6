"""Tables of documents: their header and rows, wherever the cells stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tasks.drift.claims.reading.page import Page


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row."""

    text: str
    line: int
    column: int
    """0-based, of the text's first character."""
    whole: bool = True
    """The text stands like this in its line."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """Those with as many cells as the header."""


Reader = Callable[[Page], Iterator[Table]]


def tables_of(page: Page) -> Iterator[Table]:
    """The tables of a page whose header mentions what a claim needs, in order."""
    for reader in _readers().get(page.syntax, ()):
        yield from reader(page)


def _readers() -> Mapping[str, tuple[Reader, ...]]:
    from tasks.drift.claims.tables.asciidoc import asciidoc_tables
    from tasks.drift.claims.tables.html import html_tables
    from tasks.drift.claims.tables.pipes import pipe_tables
    from tasks.drift.claims.tables.rst import grid_tables, list_tables, ruled_tables

    return {
        "markdown": (pipe_tables, html_tables),
        "rst": (list_tables, ruled_tables, grid_tables),
        "asciidoc": (asciidoc_tables,),
        "text": (pipe_tables,),
    }
