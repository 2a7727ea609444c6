"""`(default N)`, `(default: N)`, `(default = N)`, `(default is N)`, `(defaults to N)`, and the same in brackets."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import bind
from tasks.drift.claims.claiming import claims_at
from tasks.drift.claims.options import names_in
from tasks.drift.claims.page import Line, Page, page_of
from tasks.drift.claims.spelled import spelled_at
from tasks.drift.tree import TextFile

_OPENING = re2.compile(
    r"[(\[]\s*(?:([^()\[\]|]{0,60}[^()\[\]|\w])\s*)?(?:[Tt]he |[Bb]y )?[Dd](?:efault|EFAULT)s?(?: value| setting)?\s*(:|=|\bis\b(?: set to)?|\bto\b|\bof\b|)\s*"
)


def paren_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each parenthesis that gives a default, for each option that it follows."""
    page = page_of(file)
    for line in page.defaulting:
        if "(" in line.text or "[" in line.text:
            for found in _OPENING.finditer(line.text):
                if not _is_call(line.text, found.start()):
                    yield from _claims(page, line, found)


def _claims(page: Page, line: Line, found: re2._Match[str]) -> Iterator[Claim]:
    joint = found[2]
    if not joint and line.text[found.end() - 1] not in " \t":
        return
    value = spelled_at(line.text, found.end(), words=joint in (":", "=", "is", "to"))
    named = list(names_in(found[1])) if found[1] else []
    # What is named inside of the parenthesis is what the default is of.
    bound = bind(page, line, found.end(1) if named else found.start(), aside=True) if value else None
    if value and bound and len(named) < 2:
        yield from claims_at(page, line, "paren", value, bound)


def _is_call(text: str, parenthesis: int) -> bool:
    """Whether a parenthesis belongs to the name before it: `get(key, default=None)`."""
    return parenthesis > 0 and (text[parenthesis - 1].isalnum() or text[parenthesis - 1] == "_")
