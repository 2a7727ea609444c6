"""Running text: `defaults to N`, `the default is N`, `the default value of X is N`, `a default of N`, `Default: N`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import Bound, bind
from tasks.drift.claims.claiming import claims_at
from tasks.drift.claims.headings import above
from tasks.drift.claims.options import option_name
from tasks.drift.claims.page import Line, Page, page_of
from tasks.drift.claims.spelled import Spelled, spelled_at
from tasks.drift.tree import TextFile

_NAMING = re2.compile(r"\b[Dd]efault(?: value| setting)? (?:of|for) (?:the )?[`*\"]{0,2}([\w.\-$]{1,90})[`*\"]{0,2}(?: option| setting| variable| parameter)? is (?:set to )?")
_VERB = re2.compile(r"\b(?:[Dd]efault(?:s|ing)? to|[Dd]efaults? (?:value )?is(?: set)?(?: to)?|[Dd]efault value:?|(?:a|an|the|[Tt]he) default(?: value)? of|[Dd]efaults?(?: value)?\s?[:=])\s+(?:the value )?")
# "Vendor X defaults to 5": something else is the subject.
_OTHER = re2.compile(r"^\s*(?:[A-Z][\w.]*|the \w+) $")


def prose_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each phrase whose value can't be mistaken for more words."""
    page = page_of(file)
    for line in page.mentions("efault"):
        if line.region != "code" and not line.text.lstrip().startswith(":type"):
            yield from _naming(page, line)
            yield from _speaking(page, line)


def _naming(page: Page, line: Line) -> Iterator[Claim]:
    for found in _NAMING.finditer(line.text):
        option = option_name(found[1])
        value = spelled_at(line.text, found.end())
        if option and value and not option.isalpha():
            yield from claims_at(page, line, "prose", value, Bound((option,), "same line", above(page, line.number)))


def _speaking(page: Page, line: Line) -> Iterator[Claim]:
    for found in _VERB.finditer(line.text):
        if line.region == "comment" and found[0].startswith("Default to"):
            # An order to the code below, not a statement about an option.
            continue
        value = _value(line, found.end(), last=":" in found[0] or "=" in found[0])
        bound = bind(page, line, found.start()) if value else None
        if value and bound and not (bound.binding == "setting" and _OTHER.search(line.text[: found.start()])):
            yield from claims_at(page, line, "prose", value, bound)


def _value(line: Line, start: int, *, last: bool) -> Spelled | None:
    """The value at a place; a bare word only where nothing follows it."""
    value = spelled_at(line.text, start)
    if value or not last:
        return value
    value = spelled_at(line.text, start, words=True)
    return value if value and not line.text[value.end :].strip(" .") else None
