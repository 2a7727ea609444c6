"""What of a text would come alive: on a terminal, in Markdown, on a page, in a SARIF report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt

from tests.attack.hostile_world import FORGED, LIVE


def live(text: str) -> set[str]:
    """The characters that would do something."""
    return set(LIVE.findall(text))


def forged(text: str) -> list[str]:
    """Lines that a name made."""
    return [line for line in text.splitlines() if line.lstrip().startswith((FORGED, "::error"))]


def alive_in_markdown(text: str) -> list[str]:
    """Tags, links and pictures that a renderer would make of it."""
    made = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    inside = [child for token in made for child in (token.children or [])]
    kinds = {"link_open", "image", "html_inline", "html_block"}
    allowed = {"<code>", "</code>"}
    return [
        token.type + token.content for token in (*made, *inside) if token.type in kinds and token.content not in allowed
    ]


def linked(sarif: Any) -> set[str]:
    """Targets of links in the messages of a SARIF report."""
    if isinstance(sarif, dict):
        own = sarif.get("text", "") if isinstance(sarif.get("text"), str) else ""
        found = set(re.findall(r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\(([^)]*)\)", own))
        return found.union(*map(linked, sarif.values()))
    return set().union(*map(linked, sarif)) if isinstance(sarif, list) else set()


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: list[str] = []
        self.addresses: list[str] = []
        self.scripts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script"
        for name, value in attrs:
            if name.startswith("on"):
                self.handlers.append(f"{tag} {name}")
            if name in ("src", "href", "action", "srcdoc") and value:
                self.addresses.append(value)

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts.append(data)


def alive_in_page(text: str) -> list[str]:
    """What of ours would run or be fetched because of a document."""
    page = Page()
    page.feed(text)
    addresses = [found for found in page.addresses if "evil" in found or found.lower().startswith("javascript:")]
    return [*page.handlers, *addresses, *(script for script in page.scripts if "alert(1)" in script)]


def strings(value: Any) -> Iterator[str]:
    """Every string of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for one in value.items() if isinstance(value, dict) else value:
            yield from strings(list(one) if isinstance(one, tuple) else one)
