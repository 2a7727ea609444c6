"""A line of its own: `Default: N`, `**Default value**: N`, `:Default: N`, `@default -- N`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import bind, claims_at
from tasks.drift.claims.binding.settings import is_key_switched_off
from tasks.drift.claims.reading.page import page_of
from tasks.drift.claims.reading.spelled import spelled_at
from tasks.drift.tree import TextFile

_OPENING = re2.compile(
    r"\s*(?:[-*+•] |: |> )?\s*[*_`:@]{0,3}"
    r"((?:The )?[Dd](?:efault|EFAULT)s?(?: [Vv]alue| setting)?s?)[*_`]{0,3}\s*(::?|=|--|\bis\b)[*_`]{0,3}\s*"
)


def own_line_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each line that is nothing but a default."""
    page = page_of(file)
    for line in page.defaulting:
        found = _OPENING.match(line.text) if line.region not in ("code", "trailing") else None
        if not found or is_key_switched_off(page, line):
            continue
        # In a docstring `default: str` may be a parameter of that name.
        words = found[2] != "is" and (line.region != "docstring" or found[1][0] != "d")
        value = spelled_at(line.text, found.end(), words=words)
        if value and (bound := bind(page, line, found.start(1))):
            yield from claims_at(page, line, "own-line", value, bound)
