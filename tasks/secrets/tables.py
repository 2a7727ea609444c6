"""Values in tables of Markdown that are told by the head of their column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import re2

from tasks.secrets.chosen import looks_chosen
from tasks.secrets.labels import ASSIGNED, CHOSEN, NAME, is_password_name
from tasks.secrets.looked import Found, Looked
from tasks.secrets.values import is_random_uuid, looks_random

_RULE = re2.compile(r"(?m)^[ \t>#*]*\|?[ \t]*:?--+:?[ \t]*(?:\|[ \t]*:?--+:?[ \t]*)+\|?[ \t]*$")
_CELL = re.compile(r"[^|\n]+")
_VALUE = re.compile(r"[ \t`*\"']{0,9}(?P<value>[^\s`*\"'][^\s`\"']{4,512}[^\s`*\"'])[ \t`*\"']{0,9}")
_LONGEST_NAME = 40


def in_columns(looked: Looked) -> Iterator[Found]:
    """The values below the name of a secret that look random, and those below that of a password that look chosen."""
    text = looked.text
    rules = [rule.span() for rule in _RULE.finditer(text)]
    for (start, past), (after, _) in pairwise((*rules, (len(text), 0))):
        head = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]
        if named := list(_named(head)):
            end = text.find("\n\n", past, after)
            yield from _below(looked, named, past, end if end >= 0 else after)


def _named(head: str) -> Iterator[tuple[int, bool]]:
    """The number of each column that has the name of a secret, and whether it is that of a password."""
    for number, cell in enumerate(_CELL.findall(head.strip("|> \t\n"))):
        said = cell.strip(" \t`*")
        if len(said) <= _LONGEST_NAME and (name := NAME.search(said)):
            yield number, is_password_name(name[0], said[name.end() :])


def _below(looked: Looked, named: Sequence[tuple[int, bool]], start: int, past: int) -> Iterator[Found]:
    line = looked.text.find("\n", start) + 1
    while 0 < line < past:
        end = looked.text.find("\n", line, past)
        end = past if end < 0 else end
        cells = [cell.span() for cell in _CELL.finditer(looked.text, line, end) if cell[0].strip(" \t>")]
        for number, is_password in named:
            found = _VALUE.fullmatch(looked.text, *cells[number]) if number < len(cells) else None
            if found and (kind := _kind(found["value"], looked, is_password=is_password)):
                yield Found(*found.span("value"), kind)
        line = end + 1


def _kind(value: str, looked: Looked, *, is_password: bool) -> str:
    if looks_random(value) or (is_random_uuid(value) and not looked.template):
        return ASSIGNED
    return CHOSEN if is_password and looks_chosen(value, looked) else ""
