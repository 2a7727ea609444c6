"""What encloses a line: a document's headings, a settings file's section or keys, the names of a Python scope."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from schemas.chunks import Document
from tasks.chunk.adoc import read_adoc
from tasks.chunk.layout import Layout
from tasks.chunk.markdown import front_matter_end
from tasks.chunk.plain import read_plain
from tasks.chunk.roff import read_roff
from tasks.chunk.rst import read_rst
from tasks.drift.claims.reading.page import Page, page_of
from tasks.drift.claims.reading.syntax import is_yaml
from tasks.drift.tree import TextFile

_READERS: Mapping[str, Callable[[Document], Layout]] = {
    "rst": read_rst,
    "asciidoc": read_adoc,
    "roff": read_roff,
    "text": read_plain,
}
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.{0,400})$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")
_ANCHOR = re.compile(r"(?<!\s)(?:\s*\{[:#.][^{}]{0,120}\}|\s+#+)\s*$")
_SECTION = re.compile(r"\s*\[{1,2}([^\[\]]{1,120})\]{1,2}\s*(?:[#;].*)?$")
_KEY = re.compile(r"\s*(?:\[ ?)?(?:- )?[\"']?([\w.$-]{1,100})[\"']?:\s*(?:[|>&!][^#]{0,60}|\{\}\s*|\[\]\s*)?(?:#.*)?$")
_LINK = re.compile(r"\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)")
MAX_BLOCK = 400
"""In lines: no code block that documents keys is longer."""


class Heading(NamedTuple):
    """A title above text."""

    line: int
    level: int
    title: str
    """As it is written, its markup included."""


class _Outline(NamedTuple):
    lines: list[int]
    stacks: list[tuple[Heading, ...]]


def above(page: Page, number: int) -> tuple[str, ...]:
    """What encloses a line, outermost first, without markup."""
    if page.syntax == "python":
        return _scope(page, number)
    if page.syntax == "settings" and is_yaml(page.file):
        indent = _indent(page.lines[number - 1])
        return tuple(key.title for key in _enclosing(page, number) if key.level < indent)
    return tuple(plain_title(heading.title) for heading in _enclosing(page, number))


def nearest(page: Page, number: int) -> Heading | None:
    """The heading right over a line."""
    stack = _enclosing(page, number)
    return stack[-1] if stack else None


def keys_over(page: Page, number: int) -> tuple[str, ...]:
    """The keys around a line of a document's code block, outermost first."""
    keys: list[str] = []
    indent = _indent(page.lines[number - 1])
    for over in range(number - 1, max(0, number - MAX_BLOCK), -1):
        if not indent or over not in page.code:
            break
        line = page.lines[over - 1]
        if _indent(line) < indent and (found := _KEY.match(line)):
            keys.append(found[1])
            indent = _indent(line)
    return tuple(reversed(keys))


def plain_title(title: str) -> str:
    """A title without links, code and emphasis."""
    return _LINK.sub(r"\1", title).replace("`", "").strip("* ")


def _scope(page: Page, number: int) -> tuple[str, ...]:
    index = bisect_right(page.docstrings, number, key=lambda found: found.start)
    inside = index > 0 and number <= page.docstrings[index - 1].end
    return page.docstrings[index - 1].names if inside else ()


def _enclosing(page: Page, number: int) -> tuple[Heading, ...]:
    outline = _outline(page.file)
    index = bisect_right(outline.lines, number)
    return outline.stacks[index - 1] if index else ()


@lru_cache(maxsize=4)
def _outline(file: TextFile) -> _Outline:
    """For each heading its line, and the headings that are open from there on."""
    outline = _Outline([], [])
    stack: tuple[Heading, ...] = ()
    for heading in _headings(page_of(file)):
        stack = (*(over for over in stack if over.level < heading.level), heading)
        outline.lines.append(heading.line)
        outline.stacks.append(stack)
    return outline


def _headings(page: Page) -> Sequence[Heading]:
    if page.syntax == "markdown":
        return list(_markdown(page))
    if page.syntax == "settings":
        return list(_sections(page))
    if reader := _READERS.get(page.syntax):
        layout = reader(Document("", page.file.path, page.file.kind, "", page.file.text, "", "", "", 0))
        return [Heading(heading.line, heading.level, heading.title) for heading in layout.headings if heading.title]
    return ()


def _markdown(page: Page) -> Iterator[Heading]:
    front = front_matter_end(page.lines)
    for number, line in enumerate(page.lines[front:], start=front + 1):
        if line.lstrip(" ").startswith("#"):
            if number not in page.code and (found := _ATX.match(line)):
                yield Heading(number, len(found[1]), _ANCHOR.sub("", found[2]).strip())
        elif line.startswith(("==", "--")) and _UNDERLINE.match(line) and number > front + 1:
            title = page.lines[number - 2].strip()
            if 0 < len(title) <= 200 and number not in page.code and not title.startswith(("-", "#", ">", "*", "|")):
                yield Heading(number - 1, 1 if line[0] == "=" else 2, title)


def _sections(page: Page) -> Iterator[Heading]:
    """The `[sections]` of a settings file, or the keys under which YAML nests others, by their indentation."""
    if is_yaml(page.file):
        opening = ((number, line, _KEY.match(line)) for number, line in enumerate(page.lines, start=1) if ":" in line)
        yield from (Heading(number, _indent(line), found[1]) for number, line, found in opening if found)
        return
    for number, line in enumerate(page.lines, start=1):
        if line.lstrip().startswith("[") and (found := _SECTION.match(line)):
            yield Heading(number, 1, found[1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
