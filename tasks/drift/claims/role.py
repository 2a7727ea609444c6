"""The variables of an Ansible role, as its README lists them with their defaults in code blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from schemas.claims import Claim
from tasks.drift.claims.reading.headings import above
from tasks.drift.claims.reading.page import Page, page_of
from tasks.drift.claims.reading.spelled import spelled_at
from tasks.drift.tree import TextFile

_KEY = re.compile(r"(\s*)((?:- )*)([A-Za-z_]\w{0,90}):(?:\s+|$)")
_VARIABLES = re.compile(r"variables|defaults|parameters|options|settings|configuration", re.IGNORECASE)
_EXAMPLE = re.compile(r"\b(?:examples?|e\.g\.|for instance|such as|like this|sample)\b", re.IGNORECASE)
_COMMENT = re.compile(r"\s#.*$")
_NO_SCALAR = ("|", ">", "&", "*", "!", "#")
_NO_DEFAULT = re.compile(r"\b(?:varies|depends|example|e\.g\.|differs|specific)\b", re.IGNORECASE)


def role_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each `key: value` of a code block below the heading on variables, nested keys joined by dots.

    Whether the role's defaults are beside the README can't be seen from here: the reader of the claims knows.
    """
    page = page_of(file)
    if file.kind != "readme" or page.syntax != "markdown" or not _is_role(file.text):
        return
    claims = list(_claims(page))
    times = Counter(claim.option for claim in claims)
    seen: set[str] = set()
    for claim in claims:
        # A nested key that comes again is of several items of a list; any other, of an example further down.
        if claim.option not in seen and (times[claim.option] == 1 or "." not in claim.option):
            yield claim
        seen.add(claim.option)


def _claims(page: Page) -> Iterator[Claim]:
    keys: list[tuple[int, str]] = []
    shown = False
    for number, raw in enumerate(page.lines, start=1):
        code = number in page.code or (raw.startswith(("    ", "\t")) and bool(raw.strip()))
        if not code and raw.strip():
            # Without a colon, an example is part of what is said of the variable above.
            shown, keys = not (raw.rstrip().endswith(":") and _EXAMPLE.search(raw)), []
        elif code and shown and (found := _KEY.match(raw)) and _in_variables(page, number):
            depth = len(found[1]) + len(found[2])
            keys = [*(pair for pair in keys if pair[0] < depth), (depth, found[3])]
            yield from _claim(page, number, found.end(), ".".join(key for _, key in keys))


def _is_role(text: str) -> bool:
    return "defaults/main.y" in text or ("ansible" in text.lower() and "role variables" in text.lower())


def _in_variables(page: Page, number: int) -> bool:
    titles = above(page, number)
    return any(_VARIABLES.search(title) for title in titles) and not any(_EXAMPLE.search(title) for title in titles)


def _claim(page: Page, number: int, start: int, option: str) -> Iterator[Claim]:
    raw = page.lines[number - 1]
    text = _COMMENT.sub("", raw[start:]).rstrip()
    if not text or text.startswith(_NO_SCALAR) or _NO_DEFAULT.search(raw[start:]):
        return
    value = spelled_at(raw, start, words=True)
    whole = value is not None and value.end == start + len(text) and value.width > 0
    documented, column = (value.text, value.start) if value and whole else (text, start)
    around, width = above(page, number), len(documented)
    yield Claim(option, documented, page.file.path, number, "role", "same line", column, width, around)
