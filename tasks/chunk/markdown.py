"""Markdown by its top-level headings; what stands in fences, lists, quotes, tables or front matter is never one."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from schemas.chunks import Document
from tasks.chunk.layout import Heading, Layout, below_title, outermost, shorten, titled

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_TITLE = re.compile(r"title\s{0,8}[:=]\s{0,8}(.+)", re.IGNORECASE)
_KEY = re.compile(r"[\w.\"'-]{1,80}\s?[:=]")
_ANCHOR = re.compile(r"(?<!\s)\s*\{[:#. ][^{}]{0,80}\}$")
_MARKUP = frozenset("[]*_`<>\\!&~{")
MAX_INLINE = 400
"""In characters: a longer heading is not parsed for markup, which could take time quadratic in its length."""


def read_markdown(document: Document) -> Layout:
    """The outline of a Markdown file; front matter (YAML or TOML) belongs to whatever comes first."""
    lines = document.text.split("\n")
    return outline(lines, lines)


def outline(cited: Sequence[str], parsed: Sequence[str]) -> Layout:
    """The outline of Markdown lines; for the parser, others may stand in their place."""
    # A lone carriage return is a line end to the parser, and to nobody else here.
    lines = [line.replace("\r", " ") for line in parsed]
    front = front_matter_end(lines)
    tokens = _parser().parse("\n" * front + "\n".join(lines[front:]))
    headings = list(_headings(tokens))
    return Layout(
        cited,
        _documentation(cited, tokens, front),
        headings,
        sorted(set(_breaks(tokens))),
        body_start=front + 1,
        title=_front_title(lines[:front]) or next((heading.title for heading in headings if heading.level == 1), ""),
        section=below_title if titled(headings) else outermost,
    )


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Only where blocks stand is asked here; parsing the text inside them would take most of the time.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@lru_cache(maxsize=1)
def _inline_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _headings(tokens: Sequence["Token"]) -> Iterator[Heading]:
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield Heading(token.map[0] + 1, int(token.tag[1]), _heading_text(inline.content), token.map[1])


def _heading_text(content: str) -> str:
    content = _ANCHOR.sub("", content[:MAX_INLINE])
    if _MARKUP.isdisjoint(content):
        return shorten(content)
    inline = _inline_parser().parseInline(content)[0]
    return shorten("".join(_visible(token) for token in inline.children or ())) or shorten(content)


def _visible(token: "Token") -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content if token.type in ("text", "code_inline", "image", "text_special") else ""


def _breaks(tokens: Sequence["Token"]) -> Iterator[int]:
    """The first lines of blocks at any depth; a table is one block."""
    for token in tokens:
        if token.map and token.nesting >= 0 and token.type not in ("thead_open", "tbody_open", "tr_open", "inline"):
            yield token.map[0] + 1


def _documentation(lines: Sequence[str], tokens: Sequence["Token"], front: int) -> list[bool]:
    documentation = [bool(line.strip()) for line in lines]
    for token in tokens:
        if token.type == "hr" and token.level == 0 and token.map:
            documentation[token.map[0]] = False
    if front:
        documentation[0] = documentation[front - 1] = False
    return documentation


def front_matter_end(lines: Sequence[str]) -> int:
    """How many lines the front matter takes, its two marks included; none where two rules stand around a text."""
    mark = lines[0].rstrip()
    if mark not in ("---", "+++"):
        return 0
    ends = (mark, "...") if mark == "---" else (mark,)
    end = next((number for number, line in enumerate(lines[1:], start=2) if line.rstrip() in ends), 0)
    return end if end and (lines[1].strip() or any(map(_KEY.match, lines[1:end]))) else 0


def _front_title(front: Sequence[str]) -> str:
    found = next((found for line in front if (found := _FRONT_TITLE.match(line))), None)
    # A null says nothing.
    return shorten(found[1].strip().strip("\"'")) if found and found[1].strip() not in ("~", "null") else ""
