"""Chunk: from a decoded document to its pieces, one splitter per format, and the table of formats."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from schemas.chunks import Document, Piece
from tasks.chunk.adoc import read_adoc
from tasks.chunk.block import title_of
from tasks.chunk.headers import read_header
from tasks.chunk.layout import Layout, cut
from tasks.chunk.markdown import read_markdown
from tasks.chunk.note import read_note
from tasks.chunk.pages import read_pages
from tasks.chunk.plain import read_plain
from tasks.chunk.roff import is_roff, read_roff
from tasks.chunk.rst import read_rst
from tasks.chunk.template import read_template

SPLITTERS: dict[str, Callable[[Document], Layout]] = {
    "header": read_header,
    "template": read_template,
    "markdown": read_markdown,
    "note": read_note,
    "rst": read_rst,
    "adoc": read_adoc,
    "roff": read_roff,
    "plain": read_plain,
    "pages": read_pages,
}

FORMATS: dict[str, str] = {
    ".md": "markdown", ".markdown": "markdown", ".mkd": "markdown", ".mdx": "markdown",
    ".rst": "rst", ".rest": "rst",
    ".adoc": "adoc", ".asciidoc": "adoc",
    ".txt": "plain", ".text": "plain",
}  # fmt: skip
"""Suffix -> format, for documents that say what they are."""
RECORDS: dict[str, str] = {".html": "markdown", ".htm": "markdown", ".eml": "plain", ".pdf": "pages"}
"""The same for the text that `tasks.extract` makes of papers of an archive."""


def split(document: Document) -> list[Piece]:
    """The pieces of a document, in order and disjoint; none where it documents nothing.

    Every documentation line is in exactly one piece, and no piece begins or ends with a blank line.
    """
    return cut(_layout(document))


def document_title(document: Document, pieces: Sequence[Piece]) -> str:
    """What the document calls itself: front matter, its one title heading, NAME, or a first line that reads like one.

    Made of the content alone, so that a rename changes nothing; empty where the content does not say.
    """
    if (title := _layout(document).title) or not pieces:
        return title
    if pieces[0].title and pieces[0].text.lower().startswith(pieces[0].title.lower()):
        return ""
    if format_of(document) in ("header", "plain", "pages"):
        return title_of(pieces[0].text)
    return title_of(pieces[0].text.lstrip("#;/* ")) if format_of(document) == "template" else ""


def documentation_lines(document: Document) -> list[int]:
    """The numbers of the lines that document something: no piece loses one, and `verify` counts by them.

    In prose and templates all that are not blank, rules and front matter marks left out; in manual pages neither
    comments nor what stands before the title; in scripts what `tasks/chunk/boilerplate.py` leaves of their comment
    headers and usage texts.
    """
    return [number for number, documents in enumerate(_layout(document).documentation, start=1) if documents]


def slice_text(document: Document, line_start: int, line_end: int) -> str:
    """The text of lines line_start..line_end as a chunk has it, recomputed from the file."""
    return "\n".join(_layout(document).lines[line_start - 1 : line_end])


def format_of(document: Document) -> str:
    """The key of `SPLITTERS` for a document: its kind decides for scripts, then its suffix, then how it begins."""
    suffixes = PurePosixPath(document.path.lower()).suffixes[-2:]
    named = next((FORMATS[suffix] for suffix in reversed(suffixes) if suffix in FORMATS), "")
    if document.kind == "header":
        return "header"
    if document.kind == "template":
        return named or "template"
    if document.kind == "note" and named == "markdown":
        return "note"
    if document.kind == "record":
        return RECORDS.get(suffixes[-1] if suffixes else "", named or "plain")
    return named or ("roff" if is_roff(document.text) else "plain")


# Pieces, title and slices are asked of one document in a row.
@lru_cache(maxsize=1)
def _layout(document: Document) -> Layout:
    return SPLITTERS[format_of(document)](document)
