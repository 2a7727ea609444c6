"""Likely keys in a text: where they stand, and of what kind they are. Best effort; nothing is asked of any provider."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import re2

from tasks.secrets.blocks import PRIVATE_KEY, blocks
from tasks.secrets.labels import labelled
from tasks.secrets.looked import Found, Looked
from tasks.secrets.rules import load_rules
from tasks.secrets.tables import in_columns
from tasks.secrets.wrapped import unwrapped

# Not of re2, whose findall is ten times slower; one run of letters has nothing to go back for.
_WORTH_IT = re.compile(r"[^\s\"'`<>]{10,}")
_DIGIT = re.compile(r"[0-9]")
_PASSWORD = re2.compile(
    r"(?i)pass|pwd|psk|basic |identified|login|curl|ldap|smb|-cli|mysql|mariadb|\b7z|\brar|zip -|sudo -S"
)
_CASES = re.compile(r"(?=[a-z]{0,40}[A-Z])(?=[A-Z]{0,40}[a-z])[A-Za-z]{16,}")
SPELLED = "[secret]"
REASON = "secret"
"""Of a skipped file, a key of `schemas.files.SKIP_REASONS`."""


@dataclass(frozen=True, slots=True)
class Key:
    """A likely key: where it stands, and never what it is."""

    start: int
    """Number of its first line, from 0."""
    end: int
    """Of its last line."""
    kind: str
    first: int
    """Its first character, from 0."""
    past: int
    """The one behind its last."""


def find_keys(text: str, *, template: bool = False) -> list[Key]:
    """The likely keys of a text, by line. Time grows with the text, whatever it holds.

    In a template of settings, what a person would choose as a password is an example.
    """
    private = list(blocks(text))
    found = list(_values(Looked(text, template))) if may_hold(text) else []
    if not (private or found):
        return []
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    keys = [Key(first, last, PRIVATE_KEY, starts[first], starts[last + 1] - 1) for first, last in private]
    keys += [_key(one, starts) for one in found]
    return sorted(keys, key=lambda key: (key.start, key.end))


def _key(found: Found, starts: list[int]) -> Key:
    start, end = (bisect_right(starts, place) - 1 for place in (found.first, found.past - 1))
    return Key(start, end, found.kind, found.first, found.past)


def without_keys(text: str, *, template: bool = False) -> str:
    """The text with `[secret]` in the place of every likely key, and of what is one elsewhere in it."""
    spans = _apart(find_keys(text, template=template))
    for value in sorted({text[first:past] for first, past in spans}, key=len, reverse=True):
        text = text.replace(value, SPELLED)
    return text


def _apart(keys: list[Key]) -> list[tuple[int, int]]:
    """Where keys stand; those that overlap are one."""
    spans: list[tuple[int, int]] = []
    for first, past in sorted((key.first, key.past) for key in keys):
        if spans and first < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(past, spans[-1][1]))
        else:
            spans.append((first, past))
    return spans


def may_hold(text: str) -> bool:
    """Whether the rules have to be asked: something in the text is long, without a blank, and has a digit and a letter,
    or speaks of a password.

    Many edits have nothing like it, and then the scanner is never loaded.
    """
    return _PASSWORD.search(text) is not None or any(_is_mixed(word) for word in _WORTH_IT.findall(text))


def _is_mixed(word: str) -> bool:
    return (_DIGIT.search(word) is not None and not word.isdigit()) or "://" in word or _CASES.search(word) is not None


def _values(looked: Looked) -> Iterator[Found]:
    yield from _by_form(looked)
    yield from unwrapped(looked, _by_form)
    yield from labelled(looked)
    yield from in_columns(looked)


def _by_form(looked: Looked) -> Iterator[Found]:
    for rule, pattern in load_rules().matching(looked.text):
        for match in pattern.finditer(looked.text):
            if span := rule.judge(match, looked):
                yield Found(*span, rule.kind)
