"""HTML as Markdown: nothing is run or fetched, and what is not shown is left out."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated
from tasks.decode import decode
from tasks.extract import MAX_TEXT, tidy

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_UNSHOWN = (
    "script",
    "style",
    "noscript",
    "template",
    "head",
    "title",
    "svg",
    "iframe",
    "object",
    "audio",
    "video",
    "canvas",
)
_HIDDEN = re.compile(r"display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden", re.IGNORECASE)
_CHARSET = re.compile(rb"""charset\s{0,4}=\s{0,4}["']?([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)
_HEAD = 2_048
"""Bytes in which a page says its encoding."""


def extract(raw: bytes) -> Extracted | NoText:
    """The page's shown text, its headings, lists and tables as Markdown; its `<title>` as title."""
    text, encoding = _decoded(raw)
    if len(text) > MAX_TEXT:
        return NoText("too large", f"{len(text):,} characters")
    try:
        shown, title = as_markdown(text)
    except RecursionError:
        return NoText("unreadable", "elements are nested too deep")
    return (
        Extracted(shown, encoding, Stated(title=title)) if shown else NoText("no documentation", "a page without text")
    )


def as_markdown(html: str) -> tuple[str, str]:
    """The text that a page shows, and its title. Raises RecursionError for elements nested some hundred deep."""
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    # The parser of the standard library knows no end tags that may be left out: rows would nest in rows.
    page = BeautifulSoup(html, "lxml")
    title = " ".join(page.title.get_text(" ").split()) if page.title else ""
    _drop_unshown(page)
    # Targets of links and images are not what the page says, and may be megabytes of data.
    converter = MarkdownConverter(
        heading_style="ATX",
        bullets="-",
        strip=["a", "img"],
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
    )
    return tidy(converter.convert_soup(page)).strip(), title


def _drop_unshown(page: BeautifulSoup) -> None:
    for element in page.find_all(True):
        if element.decomposed:
            continue
        if (
            element.name in _UNSHOWN
            or element.has_attr("hidden")
            or _HIDDEN.search(str(element.get("style", ""))[:1_000])
        ):
            element.decompose()
        elif element.name == "img":
            element.replace_with(str(element.get("alt", "")))


def _decoded(raw: bytes) -> tuple[str, str]:
    try:
        return raw.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        pass
    if declared := _CHARSET.search(raw[:_HEAD]):
        try:
            codec = codecs.lookup(declared[1].decode()).name
            return raw.decode(codec), codec
        except (LookupError, ValueError):
            pass
    decoded = decode(raw)
    return (raw.decode("latin-1"), "latin-1") if isinstance(decoded, str) else (decoded.text, decoded.encoding)
