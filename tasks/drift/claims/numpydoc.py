"""A parameter of a docstring with its default beside its type: `x : int, default 5`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import Bound, claims_at
from tasks.drift.claims.reading.headings import above
from tasks.drift.claims.reading.page import page_of
from tasks.drift.claims.reading.spelled import spelled_at
from tasks.drift.tree import TextFile

_LINE = re2.compile(
    r"\s*\*{0,2}([A-Za-z_]\w{0,80})\s?:\s[^#\n]{1,160}?[,;(]\s?(?:by )?[Dd]efaults?(?:\s?[:=]\s?|\s(?:to |is )?)"
)


def numpydoc_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each parameter that is documented like this."""
    page = page_of(file)
    for line in page.defaulting:
        if line.region == "docstring" and (found := _LINE.match(line.text)):
            value = spelled_at(line.text, found.end(), words=True)
            if value and not line.text[value.end :].strip(" .)"):
                bound = Bound((found[1],), "same line", above(page, line.number))
                yield from claims_at(page, line, "numpydoc", value, bound)
