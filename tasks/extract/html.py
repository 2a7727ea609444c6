"""HTML as Markdown: nothing is run or fetched, and what is not shown is left out."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from schemas.extracted import Extracted, NoText
from schemas.stated import Stated, strictness
from tasks.decode import Decoded, decode, decode_as
from tasks.extract import MAX_TEXT, tidy
from tasks.stated import stated_by, stated_in

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
    decoded = _decoded(raw)
    if len(decoded.text) > MAX_TEXT:
        return NoText("too large", f"{len(decoded.text):,} characters")
    try:
        shown, title = as_markdown(decoded.text)
        stated = _stated(decoded.text)
    except RecursionError:
        return NoText("unreadable", "elements are nested too deep")
    if not shown:
        return NoText("no documentation", "a page without text")
    return Extracted(shown, decoded.encoding, replace(stated, title=title))


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


def _stated(html: str) -> Stated:
    """What the page says of its sensitivity, in a `<meta>` or in front matter; of the rest it shows what counts."""
    from bs4 import BeautifulSoup
    from bs4.filter import SoupStrainer

    metas = BeautifulSoup(html, "lxml", parse_only=SoupStrainer("meta")).find_all("meta")
    named = stated_by({str(one.get("name", "")): str(one.get("content", "")) for one in metas})
    front = stated_in(html)
    strictest = max(named.sensitivity, front.sensitivity, key=strictness)
    faults = [fault for said in (named, front) if said.sensitivity for fault in said.faults]
    return Stated(sensitivity=strictest, faults=tuple(faults))


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


def charset_in(raw: bytes) -> str:
    """The encoding that a page says it is in; empty where it says none."""
    declared = _CHARSET.search(raw[:_HEAD])
    return declared[1].decode() if declared else ""


def _decoded(raw: bytes) -> Decoded:
    with contextlib.suppress(UnicodeDecodeError):
        return Decoded(raw.decode("utf-8-sig"), "utf-8")
    if not (declared := charset_in(raw)) and isinstance(decoded := decode(raw), Decoded):
        return decoded
    return decode_as(raw, declared)
