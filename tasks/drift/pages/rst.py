"""reStructuredText pages, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.chunks import Document
from tasks.chunk.rst import read_rst
from tasks.drift.pages.page import Fence, Link, LinkKind, Page, Span, Term
from tasks.drift.pages.slugs import slugs

_LITERAL = re.compile(r"``([^`\n]{1,200}?)``")
_ROLE = re.compile(r":([a-z:]{1,20}):`(?:[^`<>\n]{0,200}<)?([^`<>\n]{1,200}?)>?`")
_LINK = re.compile(r"(?<![\w:`])`[^`<>\n]{0,200}<([^`<>\s]{1,300})>`__?")
_DIRECTIVE = re.compile(r"(\s*)\.\. ([a-z:-]{1,30})::\s*(.{0,500})")
_TARGET = re.compile(r"\s*(?:[*+-]\s+){0,3}\.\. _`?([^`:]{1,200})`?:\s*(\S{0,500})")
_DEFINITION = re.compile(r"(?:[-*] )?``([^`\n]{1,100})``\s*(?:$|:(?:\s|$)|\s[-\u2013(])")
_COMMENT = re.compile(r"\s*\.\. (?![\w:|-]{1,40}::|_|\[|\|)\S")
_FILES: dict[str, LinkKind] = {
    "image": "image", "figure": "image", "include": "include", "literalinclude": "include",
}  # fmt: skip
_ROLES: dict[str, LinkKind] = {"doc": "doc", "ref": "label", "download": "link"}
_CODE = frozenset({"code-block", "code", "sourcecode", "parsed-literal", "prompt"})
_NAMED = frozenset({"setting", "envvar", "confval", "reqmeta", "option"})
_OBJECTS = _NAMED | {"class", "func", "meth", "attr", "data", "exc", "signal"}


def read_rst_page(text: str) -> Page:
    """A reStructuredText file, taken apart."""
    lines = text.split("\n")
    headings = read_rst(Document("", "", "doc", "", text, "", "", "", 0)).headings
    inside = _blocks(lines)
    prose = [(number, line) for number, line in enumerate(lines, start=1) if number not in inside]
    targets = [found for _, line in prose if (found := _TARGET.match(line))]
    return Page(
        tuple(span for number, line in prose for span in _spans(number, line)),
        tuple(_terms(prose, {heading.line_end: heading.title for heading in headings})),
        tuple(_fences(lines, inside)),
        tuple(link for number, line in prose for link in _links(number, line)),
        tuple(Span(heading.line, heading.title) for heading in headings),
        frozenset(slugs(heading.title for heading in headings))
        | {" ".join(found[1].lower().split()) for found in targets},
        composed=any(found[2] == "include" for _, line in prose if (found := _DIRECTIVE.match(line))),
    )


def _blocks(lines: Sequence[str]) -> dict[int, str]:
    """Line numbers inside of blocks of code and comments -> the language; what is no code has none of a language."""
    inside: dict[int, str] = {}
    depth, language = -1, ""
    for number, line in enumerate(lines, start=1):
        indent = len(line) - len(line.lstrip())
        if depth >= 0 and (indent > depth or not line.strip()):
            inside[number] = language
            continue
        depth = -1
        directive = _DIRECTIVE.match(line)
        if directive and directive[2] in _CODE:
            depth, language = indent, directive[3].strip().lower()
        elif line.rstrip().endswith("::") and not directive:
            depth, language = indent, ""
        elif _COMMENT.match(line):
            depth, language = indent, "comment"
            inside[number] = language
    return inside


def _fences(lines: Sequence[str], inside: dict[int, str]) -> Iterator[Fence]:
    start = 0
    for number in sorted(inside):
        if number - 1 not in inside or inside[number - 1] != inside[number]:
            start = number
        if inside.get(number + 1) != inside[number] and inside[number] != "comment":
            yield Fence(start, inside[number], tuple(line.strip() for line in lines[start - 1 : number]))


def _spans(number: int, line: str) -> Iterator[Span]:
    if "`" in line:
        yield from (Span(number, found[1]) for found in _LITERAL.finditer(line))
        yield from (
            Span(number, found[2].lstrip("~!").rpartition(".")[2])
            for found in _ROLE.finditer(line)
            if found[1] in _OBJECTS
        )


def _terms(prose: Sequence[tuple[int, str]], headings: dict[int, str]) -> Iterator[Term]:
    for number, line in prose:
        found = _DIRECTIVE.match(line)
        if found and found[2] in _NAMED:
            yield Term(number, found[3].strip(), found[2])
        elif defined := _DEFINITION.match(line):
            yield Term(number, defined[1], "definition")
        elif number in headings and " " not in headings[number]:
            yield Term(number - 1, headings[number].strip("`"), "heading")


def _links(number: int, line: str) -> Iterator[Link]:
    if "`" in line:
        yield from (Link(number, found[2], _ROLES[found[1]]) for found in _ROLE.finditer(line) if found[1] in _ROLES)
        yield from (Link(number, found[1]) for found in _LINK.finditer(line) if not found[1].endswith("_"))
    if ".. " not in line:
        return
    if (found := _DIRECTIVE.match(line)) and found[2] in _FILES and found[3].strip():
        yield Link(number, found[3].strip(), _FILES[found[2]])
    elif (found := _TARGET.match(line)) and found[2] and not found[2].endswith("_"):
        yield Link(number, found[2])
