"""Headings, and lines of their own, that consist of an option."""

from __future__ import annotations

import re

from tasks.drift.claims.binding.terms import is_alone, lead
from tasks.drift.claims.reading.headings import Heading
from tasks.drift.claims.reading.options import is_plain_word, option_name
from tasks.drift.claims.reading.page import Line, Page

REACH = 30
"""In lines above a claim, for a name that stands on a line of its own."""

_CODE = re.compile(r"(`{1,2})([^`]{1,160})\1")
_LINK = re.compile(r"\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)")
MAX_REST = 3
"""Words beside the code span of a heading that is still about that option."""


def option_of_heading(heading: Heading, *, opens: bool) -> str:
    """The option that a heading consists of, if it can be told from an ordinary title; else empty.

    `opens`: the claim below is a line or sentence of its own, so that even a plain word may be the option.
    """
    title = _LINK.sub(r"\1", heading.title)
    spans = [name for match in _CODE.finditer(title) if (name := option_name(match[2]))]
    if "`" in title:
        flags = [name for name in spans if name.startswith("--")]
        short = len(_CODE.sub("", title).split()) <= MAX_REST
        return (flags or spans)[0] if spans and short else ""
    option = option_name(title.strip("*_ ").partition(" (")[0].replace("\\_", "_"))
    if is_plain_word(option):
        return option if opens and not option.istitle() else ""
    # A document may be titled by the name of a program.
    program = heading.level == 1 and "-" in option.lstrip("-") and not option.startswith("-")
    return "" if program else option


def option_line_above(page: Page, line: Line, top: int) -> str:
    """The option that stands on a line of its own, at the same depth, above a line and below line `top`."""
    for number in range(line.number - 1, max(top, line.number - REACH), -1):
        over, previous = page.line(number), page.line(number - 1)
        if not over or over.region != "prose" or over.indent != line.indent or not is_alone(over):
            continue
        if (previous is None or not previous.text.strip()) and (name := lead(over)) and not is_plain_word(name):
            return name
    return ""
