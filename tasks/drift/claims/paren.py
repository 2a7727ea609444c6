"""`(default N)`, `(default: N)`, `(default = N)`, `(default is N)`, `(defaults to N)`, and the same in brackets."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import bind, claims_at
from tasks.drift.claims.reading.options import names_in
from tasks.drift.claims.reading.page import page_of
from tasks.drift.claims.reading.spelled import spelled_at
from tasks.drift.tree import TextFile

_OPENING = re2.compile(
    r"[(\[]\s*(?:([^()\[\]|]{0,60}[^()\[\]|\w])\s*)?(?:[Tt]he |[Bb]y )?"
    r"[Dd](?:efault|EFAULT)s?(?: value| setting)?\s*(:|=|\bis\b(?: set to)?|\bto\b|\bof\b|)\s*"
)
_TELLING = (":", "=", "is", "to")
"""What lets even a bare word behind it be the value; `(default behaviour)` is none."""


def paren_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each parenthesis that gives a default, for each option that it follows."""
    page = page_of(file)
    for line in page.defaulting:
        for found in _OPENING.finditer(line.text) if "(" in line.text or "[" in line.text else ():
            joint, text = found[2], line.text
            if _is_call(text, found.start()) or not (joint or text[found.end() - 1].isspace()):
                continue
            value = spelled_at(text, found.end(), words=joint in _TELLING)
            named = list(names_in(found[1] or ""))
            # What is named inside of the parenthesis is what the default is of.
            start = found.end(1) if named else found.start()
            bound = bind(page, line, start, aside=True) if value and len(named) < 2 else None
            if value and bound:
                yield from claims_at(page, line, "paren", value, bound)


def _is_call(text: str, parenthesis: int) -> bool:
    """Whether a parenthesis belongs to the name before it: `get(key, default=None)`."""
    before = text[parenthesis - 1] if parenthesis else ""
    return before.isalnum() or before == "_"
