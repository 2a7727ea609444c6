"""What the checks look at in a document, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LinkKind = Literal["link", "image", "doc", "label", "include"]


@dataclass(frozen=True, slots=True)
class Span:
    """Text in code type inside of prose, a heading or a cell; or the text of a heading."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """A name that a table row, list item, heading, definition or paragraph of its own explains."""

    line: int
    name: str
    group: str
    """What the names of one table, list or level of headings have in common."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of code."""

    line: int
    """Of its first line of code, from 1."""
    language: str
    """In lower case, without attributes; empty where none is named."""
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Something that the document points to."""

    line: int
    target: str
    """As written, but without the markup around it."""
    kind: LinkKind = "link"


@dataclass(frozen=True, slots=True)
class Page:
    """A document, taken apart. Each tuple is in order of lines."""

    spans: tuple[Span, ...] = ()
    terms: tuple[Term, ...] = ()
    fences: tuple[Fence, ...] = ()
    links: tuple[Link, ...] = ()
    headings: tuple[Span, ...] = ()
    anchors: frozenset[str] = frozenset()
    """What `#anchor` may name: slugs of headings, and ids that are given in the text."""
    documentation: tuple[tuple[int, str], ...] = ()
    """In scripts, number and text of each line that documents; the others are code."""
    composed: bool = False
    """It takes in text from elsewhere (includes, components), so that it may have anchors that are not here."""
