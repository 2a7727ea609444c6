"""What is kept of a page that somebody else rendered: its sections as bare, inert markup that fetches nothing."""

from __future__ import annotations

import html
from html.parser import HTMLParser

from muniment.inert import inert

SECTION = "ge-section"
"""Class of the blocks of a Data Docs page; what stands around them is scripts, advertising and navigation by script."""
_KEPT = frozenset({
    "div", "span", "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol",
    "li", "strong", "b", "em", "i", "code", "pre", "br", "hr",
})  # fmt: skip
_DROPPED = frozenset({
    "script", "style", "svg", "button", "input", "label", "form", "iframe", "object", "embed", "template",
    "noscript",
})  # fmt: skip
"""Elements that go with all they hold; of any other that is not kept only the tags go."""
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip
_CLOSED = "collapse"
"""What only a script unfolds, batch ids and versions, and what it is unfolded with."""


def keep_sections(page: str) -> str:
    """The sections of a Data Docs page, of every element nothing but a name and a class from our lists.

    No script, style, link, image, address or handler is left, whatever the page held.
    """
    reader = _Sections()
    reader.feed(page)
    reader.close()
    return "".join(reader.kept)


class _Sections(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.kept: list[str] = []
        self._open: list[tuple[str, bool]] = []
        """Elements open since the section began, and whether what they hold is kept."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if not self._open and not (tag == "div" and SECTION in classes):
            return
        inside = (
            self._keeping and tag not in _DROPPED and _CLOSED not in classes and ("data-toggle", _CLOSED) not in attrs
        )
        if inside and tag in _KEPT:
            self.kept.append(_opening(tag, classes))
        if tag not in _VOID:
            self._open.append((tag, inside))

    def handle_endtag(self, tag: str) -> None:
        if all(tag != name for name, _ in self._open):
            return
        while self._open:
            name, inside = self._open.pop()
            if inside and name in _KEPT:
                self.kept.append(f"</{name}>")
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._open and self._keeping:
            self.kept.append(html.escape(inert(data)))

    @property
    def _keeping(self) -> bool:
        return not self._open or self._open[-1][1]


def _opening(tag: str, classes: list[str]) -> str:
    # Two classes carry meaning: what the icons of a font that we do not load would have shown.
    told = next((name for name in ("text-danger", "text-success") if name in classes), "")
    return f'<{tag} class="{told}">' if told else f"<{tag}>"
