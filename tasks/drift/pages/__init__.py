"""Pages: documents as the checks look at them, taken apart into names, code, links and anchors."""

from functools import lru_cache

from tasks.chunk import FORMATS
from tasks.drift.pages.adoc import read_adoc_page
from tasks.drift.pages.markdown import read_markdown_page
from tasks.drift.pages.page import Fence, Link, Page, Span, Term
from tasks.drift.pages.rst import read_rst_page
from tasks.drift.pages.script import read_script_page
from tasks.drift.tree import TextFile

__all__ = ["Fence", "Link", "Page", "Span", "Term", "format_of_page", "read_page"]

_READERS = {"markdown": read_markdown_page, "rst": read_rst_page, "adoc": read_adoc_page}


def format_of_page(file: TextFile) -> str:
    """`markdown`, `rst`, `adoc`, `script`, or nothing for what the checks can't take apart."""
    if file.kind == "header":
        return "script"
    found = FORMATS.get("." + file.suffix, "") if file.kind else ""
    return found if found in _READERS else ""


# Several checks look at each page, one after the other.
@lru_cache(maxsize=4096)
def read_page(file: TextFile) -> Page:
    """The document taken apart; empty for a file that is none, or in a format without markup."""
    form = format_of_page(file)
    if form == "script":
        return read_script_page(file.path, file.text)
    return _READERS[form](file.text) if form else Page()
