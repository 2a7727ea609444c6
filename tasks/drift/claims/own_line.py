"""A line of its own: `Default: N`, `**Default value**: N`, `:Default: N`, `@default -- N`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import bind, claims_at
from tasks.drift.claims.reading.page import Line, Page, page_of
from tasks.drift.claims.reading.spelled import spelled_at
from tasks.drift.claims.reading.syntax import is_yaml
from tasks.drift.tree import TextFile

_OPENING = re2.compile(
    r"\s*(?:[-*+•] |: |> )?\s*[*_`:@]{0,3}"
    r"((?:The )?[Dd](?:efault|EFAULT)s?(?: [Vv]alue| setting)?s?)[*_`]{0,3}\s*(::?|=|--|\bis\b)[*_`]{0,3}\s*"
)


def _is_key(page: Page, line: Line, label: str) -> bool:
    """Whether a line is a key of YAML that is commented out, among others."""
    return line.region == "comment" and is_yaml(page.file) and label == "default" and line.text.startswith("  ")


def own_line_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each line that is nothing but a default."""
    page = page_of(file)
    for line in page.defaulting:
        if line.region in ("code", "trailing") or not (found := _OPENING.match(line.text)):
            continue
        if _is_key(page, line, found[1]):
            continue
        # In a docstring `default: str` may be a parameter of that name.
        words = found[2] != "is" and (line.region != "docstring" or found[1][0] != "d")
        value = spelled_at(line.text, found.end(), words=words)
        if value and (bound := bind(page, line, found.start(1))):
            yield from claims_at(page, line, "own-line", value, bound)
