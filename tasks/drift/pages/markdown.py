"""Markdown pages, by the tokens of a CommonMark parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from tasks.chunk.markdown import front_matter_end
from tasks.drift.pages.page import Fence, Link, Page, Span, Term
from tasks.drift.pages.slugs import slugs

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_INLINE = 8_000
"""In characters: markup in a longer paragraph is not read, which could take time quadratic in its length."""

_ATTRIBUTE = re.compile(
    r"<(a|img|source|video)\s[^<>]{0,500}?(?:href|src)\s?=\s?[\"']([^\"'<>]{1,500})[\"']", re.IGNORECASE
)
_ID = re.compile(r"\s(?:id|name)\s?=\s?[\"']?([^\"'\s<>]{1,200})", re.IGNORECASE)
_GIVEN_ID = re.compile(r"\{:?\s?#([\w:.-]{1,200})|^\(([\w:.-]{1,200})\)=", re.MULTILINE)
_HTML_HEADING = re.compile(r"<h[1-6][^<>]{0,200}>([^\n]{0,300}?)</h[1-6]>", re.IGNORECASE)
_COMPOSED = re.compile(r"\{%-?\s|\{\{<|\{\{%|--8<--|^[ \t]{0,40}<[A-Z]\w|^import\s|^:::", re.MULTILINE)
_TAG = re.compile(r"<[^<>]{0,300}>")
_TAB = re.compile(r"^\s{0,40}=== \"`?([^\"\n`]{1,200})`?\"", re.MULTILINE)
_WORD = re.compile(r"[\w.-]{2,80}$")
_MARKED = frozenset("`[]*_<!\\&")


def read_markdown_page(text: str) -> Page:
    """A Markdown file, taken apart. Comments and code hold no links."""
    lines = text.replace("\r", " ").split("\n")
    front = front_matter_end(lines)
    return _Reader(("\n" * front + "\n".join(lines[front:])), lines).page()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # The text inside of blocks is parsed by us, up to a bounded length.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


class _Place:
    """Where in tables and lists a token stands."""

    def __init__(self) -> None:
        self.table, self.cell = 0, -1
        self.lists = [0]

    def enter(self, token: Token, line: int) -> None:
        """Counts a token that opens or closes one of them."""
        if token.type == "table_open":
            self.table = line
        elif token.type == "tr_open":
            self.cell = -1
        elif token.type in ("td_open", "th_open"):
            self.cell += 1
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            self.lists.append(line)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.lists.pop()


class _Reader:
    """One pass over the tokens of a page."""

    def __init__(self, text: str, lines: Sequence[str]) -> None:
        self._text, self._lines = text, lines
        self._env: dict[str, dict[str, dict[str, object]]] = {}
        self._tokens = _parser().parse(text, self._env)
        self._spans: list[Span] = []
        self._terms: list[Term] = []
        self._fences: list[Fence] = []
        self._links: list[Link] = []
        self._titles: list[str] = []
        self._headings: list[Span] = []
        self._ids: set[str] = set()
        self._defined: set[str] = set()

    def page(self) -> Page:
        self._read_definitions()
        self._read_blocks()
        return Page(
            tuple(self._spans),
            tuple(self._terms),
            tuple(self._fences),
            tuple(sorted(self._links, key=lambda link: link.line)),
            tuple(self._headings),
            frozenset(slugs([*self._titles, *_TAB.findall(self._text)]))
            | self._ids
            | {found[1] or found[2] for found in _GIVEN_ID.finditer(self._text)},
            composed=bool(_COMPOSED.search(self._text)),
        )

    def _read_definitions(self) -> None:
        for reference in self._env.get("references", {}).values():
            target, place = str(reference.get("href", "")), reference.get("map")
            if isinstance(place, list) and target:
                self._defined.add(target)
                self._links.append(Link(int(place[0]) + 1, target))

    def _read_blocks(self) -> None:
        place = _Place()
        for index, token in enumerate(self._tokens):
            line = token.map[0] + 1 if token.map else 0
            place.enter(token, line)
            if token.type in ("fence", "code_block"):
                self._read_fence(token, line)
            elif token.type == "html_block":
                self._read_html(token.content, line)
            elif token.type == "inline":
                self._read_text(index, line, place)

    def _read_text(self, index: int, line: int, place: _Place) -> None:
        """A heading, a cell or a paragraph."""
        token, above = self._tokens[index], self._tokens[index - 1]
        children = self._read_inline(token, line)
        if above.type == "heading_open":
            self._read_heading(token, children, line, above.tag)
        elif above.type == "td_open" and place.cell == 0:
            shown = _visible(children) if children else token.content
            self._add_terms(_code(children) or _words(shown), line, f"table {place.table}")
        elif above.type == "paragraph_open" and self._tokens[index - 2].type == "list_item_open":
            self._add_terms(_item_names(children), line, f"list {place.lists[-1]}")

    def _read_fence(self, token: Token, line: int) -> None:
        language = (token.info.split() or [""])[0].strip("{}.").lower().partition("{")[0]
        lines = tuple(token.content.split("\n"))
        self._fences.append(Fence(line + (token.type == "fence"), language, lines))

    def _read_html(self, content: str, line: int) -> None:
        """Links, ids and headings written as HTML."""
        content = _without_comments(content)
        for found in _ATTRIBUTE.finditer(content):
            at = line + content.count("\n", 0, found.start(2))
            self._links.append(Link(at, found[2], "link" if found[1].lower() == "a" else "image"))
        self._ids.update(_ID.findall(content))
        self._titles += [_TAG.sub("", title) for title in _HTML_HEADING.findall(content)]

    def _read_inline(self, token: Token, line: int) -> Sequence[Token]:
        """The tokens inside of a block of text; its code and links are noted."""
        children: list[Token] = []
        if len(token.content) > MAX_INLINE or _MARKED.isdisjoint(token.content):
            return children
        parser = _parser()
        parser.inline.parse(token.content, parser, self._env, children)
        end = token.map[1] if token.map else line
        for child in children:
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            elif child.type == "code_inline":
                self._spans.append(Span(self._find(child.content, line, end), child.content))
            elif child.type == "html_inline":
                self._read_html(child.content, line)
            elif child.type in ("link_open", "image"):
                self._read_link(child, line, end)
        return children

    def _read_link(self, child: Token, line: int, end: int) -> None:
        image = child.type == "image"
        target = str(child.attrs.get("src" if image else "href", ""))
        if target in self._defined or child.markup == "autolink":
            return
        self._links.append(Link(self._find(target, line, end), target, "image" if image else "link"))

    def _find(self, text: str, line: int, end: int) -> int:
        """The line, at or below the one given and inside of the block, that holds a text."""
        return next((number for number in range(line, end + 1) if text in self._line(number)), line)

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def _read_heading(self, token: Token, children: Sequence[Token], line: int, tag: str) -> None:
        title = _visible(children) if children else token.content
        self._titles.append(title)
        self._headings.append(Span(line, title))
        self._add_terms(_code(children) or _words(title), line, f"heading {tag}")

    def _add_terms(self, names: Sequence[str], line: int, group: str) -> None:
        self._terms += [Term(line, name, group) for name in names]


def _without_comments(content: str) -> str:
    """HTML with its comments blanked, but for their line ends."""
    kept, at = [], 0
    while (start := content.find("<!--", at)) >= 0:
        end = content.find("-->", start)
        end = len(content) if end < 0 else end
        kept += [content[at:start], "\n" * content.count("\n", start, end)]
        at = end
    return "".join([*kept, content[at:]])


def _item_names(children: Sequence[Token]) -> list[str]:
    """What a list item begins with: code, or a word in bold."""
    shown = [child for child in children if child.type != "text" or child.content.strip()]
    opening = list(takewhile(lambda child: child.type != "text", shown))
    bold = shown[1].content if len(shown) > 1 and shown[0].type == "strong_open" else ""
    return _code(opening) or _words(bold)


def _code(children: Sequence[Token]) -> list[str]:
    return [child.content.strip() for child in children if child.type == "code_inline"]


def _words(text: str) -> list[str]:
    return [text.strip()] if _WORD.match(text.strip()) else []


def _visible(children: Sequence[Token]) -> str:
    return "".join(_shown(children))


def _shown(children: Sequence[Token]) -> Iterator[str]:
    for child in children:
        if child.type in ("text", "code_inline", "text_special"):
            yield child.content
        elif child.type in ("softbreak", "hardbreak"):
            yield " "
