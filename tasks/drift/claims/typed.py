"""A configuration reference in the form `[ key: <type> | default = N ]`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.headings import above
from tasks.drift.claims.page import page_of
from tasks.drift.claims.settings import parents_in_code
from tasks.drift.tree import TextFile

_LINE = re2.compile(
    r"\s*(?:-\s+)?\[\s*(?:-\s+)?[\"']?([\w.\-]{1,100})[\"']?\s*:\s*[^|\]]{0,200}(?:\|[^|=\]]{0,60})?\|\s*default\s*=\s*([^\s].{0,200}?)\s*\]\s*(?:#.*)?$"
)


def typed_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each such line; above are the headings, and then the keys of the block."""
    page = page_of(file)
    for line in page.defaulting:
        raw = page.lines[line.number - 1]
        if "[" in raw and "=" in raw and line.region in ("code", "prose", "trailing") and (found := _LINE.match(raw)):
            value = found[2]
            bare = value.strip("`")
            bare = bare.removesuffix(">") if bare.count(">") > bare.count("<") else bare
            start = found.start(2) + value.index(bare) if bare else 0
            if bare:
                keys = parents_in_code(page, line.number)
                yield Claim(
                    found[1],
                    bare,
                    file.path,
                    line.number,
                    "typed",
                    "same line",
                    start,
                    len(bare),
                    (*above(page, line.number), *keys),
                )
