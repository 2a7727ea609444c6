"""An assignment in an example of a document whose comment says that it is the default: `KEY=N  # default`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.claims import Claim
from tasks.drift.claims.binding.settings import setting_in
from tasks.drift.claims.reading.headings import above
from tasks.drift.claims.reading.page import Line, Page, page_of
from tasks.drift.claims.reading.spelled import spelled_at
from tasks.drift.tree import TextFile

_COMMENT = re.compile(r"\s*\(?(?:the |this is the )?default(?:s| value)?\)?\s*(?:$|[,.;(–—-])", re.IGNORECASE)
_ASSIGN = re.compile(r"[^=:\n]{1,100}(?:=>|[:+?]?=|:)\s*")
DOCUMENTS = ("markdown", "rst", "asciidoc", "text")


def key_comment_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each such line of a code block; in a settings file, the line is the truth itself."""
    page = page_of(file)
    if page.syntax in DOCUMENTS:
        for line in page.defaulting:
            if line.region == "trailing" and _COMMENT.match(line.text):
                yield from _claim(page, line)


def _claim(page: Page, line: Line) -> Iterator[Claim]:
    code = page.lines[line.number - 1][: line.column].rstrip().rstrip("#/;").rstrip()
    option, found = setting_in(page, code), _ASSIGN.match(code)
    value = spelled_at(code, found.end(), words=True) if found else None
    if option and value and found:
        yield Claim(
            option,
            value.text,
            page.file.path,
            line.number,
            "key-comment",
            "same line",
            value.start,
            value.width,
            above(page, line.number),
        )
