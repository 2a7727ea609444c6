"""Text that comes in pages, each after a line with a form feed: the text layer of a PDF."""

from schemas.chunks import Document
from tasks.chunk.layout import Heading, Layout, paragraph_starts

PAGE_BREAK = "\f"


def read_pages(document: Document) -> Layout:
    """Each page is a section that is called `page 2`; a document of one page has none."""
    lines = document.text.split("\n")
    breaks = [number for number, line in enumerate(lines, start=1) if line == PAGE_BREAK]
    firsts = [1, *(number + 1 for number in breaks)] if breaks else []
    # A page has no heading of its own: its first line is text already.
    headings = [Heading(first, 1, f"page {page}", first - 1) for page, first in enumerate(firsts, start=1)]
    return Layout(lines, [bool(line.strip()) for line in lines], headings, paragraph_starts(lines))
