"""What encloses a line: the headings of a document, the section of a settings file, the keys of a YAML file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from schemas.chunks import Document
from tasks.chunk.adoc import read_adoc
from tasks.chunk.plain import read_plain
from tasks.chunk.roff import read_roff
from tasks.chunk.rst import read_rst
from tasks.drift.claims.page import Page, page_of
from tasks.drift.claims.syntax import is_yaml
from tasks.drift.tree import TextFile

_READERS = {"rst": read_rst, "asciidoc": read_adoc, "roff": read_roff, "text": read_plain}
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.{0,400})$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
_ANCHOR = re.compile(r"\s*\{[:#.][^{}]{0,120}\}\s*$|\s+#+\s*$")
_SECTION = re.compile(r"\s*\[{1,2}([^\[\]]{1,120})\]{1,2}\s*(?:[#;].*)?$")
_KEY = re.compile(r"(\s*)(?:- )?([\w.$-]{1,100}):(?:\s|$)")


class Heading(NamedTuple):
    """A title above text."""

    line: int
    level: int
    title: str
    """As it is written, its markup included."""


def above(page: Page, number: int) -> tuple[str, ...]:
    """The titles that enclose a line, outermost first, without markup."""
    return tuple(_plain(heading.title) for heading in enclosing(page, number))


def enclosing(page: Page, number: int) -> tuple[Heading, ...]:
    """The headings over a line, outermost first."""
    outline = _outline(page.file)
    index = bisect_right(outline.lines, number)
    return outline.stacks[index - 1] if index else ()


def nearest(page: Page, number: int) -> Heading | None:
    """The heading right over a line."""
    stack = enclosing(page, number)
    return stack[-1] if stack else None


class _Outline(NamedTuple):
    lines: list[int]
    stacks: list[tuple[Heading, ...]]


@lru_cache(maxsize=4)
def _outline(file: TextFile) -> _Outline:
    """For each heading its line, and the headings that are open from there."""
    outline = _Outline([], [])
    stack: tuple[Heading, ...] = ()
    for heading in headings_of(file):
        stack = (*(over for over in stack if over.level < heading.level), heading)
        outline.lines.append(heading.line)
        outline.stacks.append(stack)
    return outline


def headings_of(file: TextFile) -> Sequence[Heading]:
    """All headings of a file, by line."""
    page = page_of(file)
    if page.syntax == "markdown":
        return list(_markdown(page))
    if page.syntax == "settings":
        return list(_sections(page))
    if reader := _READERS.get(page.syntax):
        layout = reader(Document("", file.path, file.kind, "", file.text, "", "", "", 0))
        return [Heading(heading.line, heading.level, heading.title) for heading in layout.headings if heading.title]
    return []


def parents_in_yaml(page: Page, number: int) -> tuple[str, ...]:
    """The keys around a line of a YAML file, outermost first."""
    indent = _indent(page.lines[number - 1])
    keys: list[str] = []
    for line in reversed(page.lines[: number - 1]):
        if (found := _KEY.match(line)) and len(found[1]) < indent:
            keys.append(found[2])
            indent = len(found[1])
        if not indent:
            break
    return tuple(reversed(keys))


def _markdown(page: Page) -> Iterator[Heading]:
    front = _front_matter_end(page.lines)
    for number, line in enumerate(page.lines[front:], start=front + 1):
        if line.lstrip(" ").startswith("#"):
            if number not in page.fences and (found := _ATX.match(line)):
                yield Heading(number, len(found[1]), _ANCHOR.sub("", found[2]).strip())
        elif line.startswith(("===", "---")) and _UNDERLINE.match(line) and number > 1 and number not in page.fences:
            title = page.lines[number - 2].strip()
            if title and len(title) <= 200 and "|" not in title and not title.startswith(("-", "#", ">", "*")):
                yield Heading(number - 1, 1 if line.lstrip()[0] == "=" else 2, title)


def _front_matter_end(lines: Sequence[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:], start=2) if line.rstrip() in ("---", "...")), 0)


def _sections(page: Page) -> Iterator[Heading]:
    if is_yaml(page.file):
        return
    for number, line in enumerate(page.lines, start=1):
        if line.lstrip().startswith("[") and (found := _SECTION.match(line)):
            yield Heading(number, 1, found[1])


def _plain(title: str) -> str:
    return re.sub(r"\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)", r"\1", title).replace("`", "").strip("* ")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
