"""AsciiDoc pages, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.chunks import Document
from tasks.chunk.adoc import read_adoc
from tasks.drift.pages.page import Fence, Link, LinkKind, Page, Span, Term
from tasks.drift.pages.slugs import slugs

_CODE = re.compile(r"(?<!\w)[`+]{1,2}([^`+\n]{1,200}?)[`+]{1,2}(?!\w)")
_MACRO = re.compile(r"(xref|link|image|include):{1,2}([^\s\[\]:{}][^\s\[\]{}]{0,300})\[")
_CROSS = re.compile(r"<<([^<>,\n]{1,200})(?:,[^<>\n]{0,200})?>>")
_ANCHOR = re.compile(r"\[\[([^\[\],]{1,200})(?:,[^\[\]]{0,200})?\]\]|\[#([\w.:-]{1,200})")
_TERM = re.compile(r"[`+*]{0,3}([\w.-]{2,100})[`+*]{0,3}::(?:\s|$)")
_CELL = re.compile(r"\|\s?[`+]{1,2}([^`+|\n]{1,100})[`+]{1,2}")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|/{4,}|\+{4,}|```.{0,40})$")
_SOURCE = re.compile(r"\[source,\s?([\w-]{1,30})")
_KINDS: dict[str, LinkKind] = {"xref": "doc", "link": "link", "image": "image", "include": "include"}


def read_adoc_page(text: str) -> Page:
    """An AsciiDoc file, taken apart."""
    lines = text.split("\n")
    headings = read_adoc(Document("", "", "doc", "", text, "", "", "", 0)).headings
    fences = list(_fences(lines))
    inside = {number for fence in fences for number in range(fence.line - 1, fence.line + len(fence.lines) + 1)}
    prose = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if number not in inside and not line.startswith("//")
    ]
    anchors = [found[1] or found[2] for _, line in prose for found in _ANCHOR.finditer(line)]
    return Page(
        tuple(Span(number, found[1]) for number, line in prose for found in _CODE.finditer(line)),
        tuple(_terms(prose)),
        tuple(fence for fence in fences if fence.language != "comment"),
        tuple(link for number, line in prose for link in _links(number, line)),
        tuple(Span(heading.line, heading.title) for heading in headings),
        frozenset(slugs(heading.title for heading in headings)) | frozenset(anchors),
        composed=any(line.startswith(("include::", ":idprefix:", ":idseparator:")) for _, line in prose),
    )


def _fences(lines: Sequence[str]) -> Iterator[Fence]:
    fence, start, language = "", 0, ""
    for number, line in enumerate(lines, start=1):
        bare = line.rstrip()
        if fence:
            if bare == fence:
                yield Fence(start, language, tuple(lines[start - 1 : number - 1]))
                fence = ""
        elif _DELIMITER.match(bare):
            source = _SOURCE.match(lines[number - 2]) if number > 1 else None
            language = (
                "comment" if bare.startswith("/") else source[1].lower() if source else bare.lstrip("-.+`").strip()
            )
            fence, start = ("```" if bare.startswith("```") else bare), number + 1


def _terms(prose: Sequence[tuple[int, str]]) -> Iterator[Term]:
    for number, line in prose:
        if (found := _TERM.match(line)) or (found := _CELL.match(line)):
            yield Term(number, found[1], "table" if line.startswith("|") else "definition")


def _links(number: int, line: str) -> Iterator[Link]:
    yield from (Link(number, found[2], _KINDS[found[1]]) for found in _MACRO.finditer(line))
    yield from (Link(number, "#" + found[1].lstrip("#"), "doc") for found in _CROSS.finditer(line))
