"""Running text: `defaults to N`, `the default is N`, `the default value of X is N`, `a default of N`, `Default: N`."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from schemas.claims import Claim
from tasks.drift.claims.binding import Bound, bind, claims_at
from tasks.drift.claims.binding.settings import is_key_switched_off
from tasks.drift.claims.reading.headings import above
from tasks.drift.claims.reading.options import option_name
from tasks.drift.claims.reading.page import Line, Page, page_of
from tasks.drift.claims.reading.spelled import Spelled, spelled_at
from tasks.drift.tree import TextFile

_NAMING = re2.compile(
    r"\b[Dd]efault(?: value| setting)? (?:of|for) (?:the )?[`*\"]{0,2}([\w.\-$]{1,90})[`*\"]{0,2}"
    r"(?: option| setting| variable| parameter)? is (?:set to )?"
)
_PHRASE = re2.compile(
    r"\b(?:[Dd]efault(?:s|ing)? to|[Dd]efaults? (?:value )?is(?: set)?(?: to)?|[Dd]efault value:?"
    r"|(?:a|an|the|[Tt]he) default(?: value)? of|[Dd]efaults?(?: value)?\s?[:=])\s+(?:the value )?"
)
_VERBS = ("defaults to", "default to", "defaulting to")
# What may stand before the verb in a comment that does not name its setting; "the kernel defaults to 5" does not count.
_LEADS_UP = re2.compile(
    r"(?:^|[.,;:!?)\]–—-]|\b(?:[Ii]t|[Tt]his|value|and|default|by|option|setting|parameter"
    r"|variable))[\s*_`\"']*$"
)
# "it will be set to the default value of 1": what is set there is something on the way.
_IS_SET = re2.compile(r"\b(?:set|fall|falls|resets?|back) to\s*$")
_SOMEONE = re2.compile(r"\b(?:whose|[A-Z][\w/]* will)\s*$")


def prose_claims(file: TextFile) -> Iterator[Claim]:
    """One claim for each phrase whose value can't be mistaken for more words."""
    page = page_of(file)
    for line in page.defaulting:
        typed = line.text.lstrip().startswith(":type")
        if line.region != "code" and not typed and not is_key_switched_off(page, line):
            yield from _naming(page, line)
            yield from _speaking(page, line)


def _naming(page: Page, line: Line) -> Iterator[Claim]:
    for found in _NAMING.finditer(line.text):
        option = option_name(found[1])
        value = spelled_at(line.text, found.end())
        if option and value and not option.isalpha():
            bound = Bound((option,), "same line", above(page, line.number))
            yield from claims_at(page, line, "prose", value, bound)


def _speaking(page: Page, line: Line) -> Iterator[Claim]:
    for found in _PHRASE.finditer(line.text):
        if line.region == "comment" and found[0].startswith("Default to"):
            # An order to the code below, not a statement about an option.
            continue
        value = _value(line.text, found.end(), labelled=":" in found[0] or "=" in found[0])
        bound = bind(page, line, found.start()) if value else None
        if bound and bound.binding != "same line" and _IS_SET.search(line.text[: found.start()]):
            continue
        if value and bound and (bound.binding != "setting" or _leads_up(line.text[: found.start()], found[0])):
            yield from claims_at(page, line, "prose", value, bound)


def _value(text: str, start: int, *, labelled: bool) -> Spelled | None:
    """The value at a place; a bare word only behind a label, and where nothing follows it."""
    value = spelled_at(text, start)
    if value or not labelled:
        return value
    value = spelled_at(text, start, words=True)
    return value if value and not text[value.end :].strip(" .") else None


def _leads_up(before: str, phrase: str) -> bool:
    """Whether nothing else is the subject of the phrase."""
    verb = phrase.lower().startswith(_VERBS)
    return not _SOMEONE.search(before) and (not verb or bool(_LEADS_UP.search(before)))
