"""A configuration reference in the form `[ key: <type> | default = N ]`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.reading.headings import above, keys_over
from tasks.drift.claims.reading.page import page_of
from tasks.drift.claims.reading.syntax import DOCUMENTS
from tasks.drift.tree import TextFile

_LINE = re2.compile(
    r"\s*(?:-\s+)?\[\s*(?:-\s+)?[\"']?([\w.\-]{1,100})[\"']?\s*:\s*[^|\]]{0,200}(?:\|[^|=\]]{0,60})?"
    r"\|\s*default\s*=\s*([^\s].{0,200}?)\s*\]\s*(?:#.*)?$"
)


def typed_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each such line of a document; above are the headings, and then the keys of the block."""
    page = page_of(file)
    for line in page.defaulting if page.syntax in DOCUMENTS else ():
        raw = page.lines[line.number - 1]
        found = _LINE.match(raw) if "[" in raw and "=" in raw else None
        value = found[2].strip("`") if found else ""
        if value.count(">") > value.count("<"):
            # `<boolean | default = true>` is a slip that many references hold.
            value = value.removesuffix(">")
        if found and value:
            start = raw.index(value, found.start(2))
            around = (*above(page, line.number), *keys_over(page, line.number))
            yield Claim(found[1], value, file.path, line.number, "typed", "same line", start, len(value), around)
