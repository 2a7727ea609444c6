"""HTML tables inside Markdown, as generators of reference pages write them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

from tasks.drift.claims.page import Page
from tasks.drift.claims.tables import Cell, Table

MAX_TEXT = 500_000
"""In characters: a longer page is not read as HTML."""


def html_tables(page: Page) -> Iterator[Table]:
    """Each `<table>` whose first row is its header."""
    text = page.file.text
    if "<t" not in text or "</t" not in text or len(text) > MAX_TEXT or not ("<td" in text and "<th" in text):
        return
    parser = _Tables(page)
    parser.feed(text)
    for rows in parser.tables:
        if len(rows) > 1:
            width = len(rows[0])
            header = tuple(cell.text for cell in rows[0])
            yield Table(header, tuple(tuple(row) for row in rows[1:] if len(row) == width))


class _Tables(HTMLParser):
    """Collects the cells of tables; `<code>` becomes a code span."""

    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.tables: list[list[list[Cell]]] = []
        self._texts: list[str] | None = None
        self._place: tuple[int, int] | None = None
        self._pieces = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self._close()
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._close()
            self._texts, self._place, self._pieces = [], None, 0
        elif tag == "code" and self._texts is not None:
            self._texts.append("`")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._close()
        elif tag == "code" and self._texts is not None:
            self._texts.append("`")

    def handle_data(self, data: str) -> None:
        if self._texts is None:
            return
        if data.strip():
            self._pieces += 1
            if self._place is None:
                line, column = self.getpos()
                skipped = data[: len(data) - len(data.lstrip())]
                fresh = skipped.rpartition("\n")[2]
                self._place = (line + skipped.count("\n"), len(fresh) + (0 if "\n" in skipped else column))
        self._texts.append(data)

    def _close(self) -> None:
        if self._texts is None:
            return
        text = " ".join("".join(self._texts).split())
        line, column = self._place or self.getpos()
        bare = text.strip("`")
        raw = self.page.lines[line - 1] if line <= len(self.page.lines) else ""
        whole = self._pieces == 1 and raw[column : column + len(bare)] == bare
        # The opening back quote stands for a tag; the text begins behind it.
        shift = 1 if text.startswith("`") else 0
        self.tables[-1][-1].append(Cell(text, line, column - shift, whole))
        self._texts = None
