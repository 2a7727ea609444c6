"""HTML tables inside Markdown, as generators of reference pages write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from tasks.drift.claims.reading.page import Page
from tasks.drift.claims.tables import Cell, Table

MAX_TEXT = 500_000
"""In characters: a longer page is not read as HTML."""

_TABLE = re.compile(r"<(/?)table\b", re.IGNORECASE)


def html_tables(page: Page) -> Iterator[Table]:
    """Each `<table>` whose first row is its header, outside of code and without another inside."""
    text = page.file.text
    if "<th" not in text or "</table" not in text or len(text) > MAX_TEXT:
        return
    start, line = -1, 1
    counted = 0
    for found in _TABLE.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        if not found[1]:
            start, first = found.start(), line
        elif start >= 0 and first not in page.code:
            yield from _read(page, first, text[text.rfind("\n", 0, start) + 1 : found.start()])
            start = -1


def _read(page: Page, line: int, text: str) -> Iterator[Table]:
    parser = _Rows(page, line)
    try:
        parser.feed(text)
    except AssertionError:  # what the parser raises at some malformed declarations
        return
    rows = parser.rows
    if len(rows) > 1:
        width = len(rows[0])
        yield Table(
            tuple(cell.text for cell in rows[0]),
            tuple(tuple(row) for row in rows[1:] if len(row) == width),
        )


class _Rows(HTMLParser):
    """Collects the cells of a table; `<code>` becomes a code span."""

    def __init__(self, page: Page, line: int) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[Cell]] = []
        self._page = page
        self._first = line
        self._texts: list[str] | None = None
        self._places: list[tuple[int, int]] = []

    def handle_starttag(self, tag: str, _attributes: object) -> None:
        if tag in ("tr", "td", "th"):
            self._close()
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self._texts, self._places = [], []
        elif tag == "code" and self._texts is not None:
            self._texts.append("`")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr"):
            self._close()
        elif tag == "code" and self._texts is not None:
            self._texts.append("`")

    def handle_data(self, data: str) -> None:
        if self._texts is not None:
            self._texts.append(data)
            if data.strip():
                self._places.append(self._place(data))

    def _place(self, data: str) -> tuple[int, int]:
        """Line and column of the first visible character of some text."""
        line, column = self.getpos()
        skipped = data[: len(data) - len(data.lstrip())]
        column = len(skipped.rpartition("\n")[2]) + (0 if "\n" in skipped else column)
        return self._first + line - 1 + skipped.count("\n"), column

    def _close(self) -> None:
        if self._texts is None:
            return
        text = " ".join("".join(self._texts).split())
        bare = text.strip("`")
        line, column = self._places[0] if self._places else (self._first, 0)
        raw = self._page.lines[line - 1] if line <= len(self._page.lines) else ""
        whole = len(self._places) == 1 and raw[column : column + len(bare)] == bare
        # The back quote stands for a tag: the text behind it is where it was.
        self.rows[-1].append(Cell(text, line, column - text.index(bare), whole))
        self._texts = None
