"""Likely keys in a text: where they stand, and of what kind they are. Best effort; nothing is asked of any provider."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from tasks.secrets.rules import ASSIGNED, BASIC_AUTH, JWT, Rule, load_rules
from tasks.secrets.values import is_token, looks_random, stands_in

# Not of re2, whose findall is ten times slower; one run of letters has nothing to go back for.
_WORTH_IT = re.compile(r"[^\s\"'`<>]{12,}")
_DIGIT = re.compile(r"[0-9]")
_BLOCK = re2.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]")
_BODY = re.compile(r"[\s#>*/|\"'`]*+(?P<body>[A-Za-z0-9+/=]{16,}+|(?:\\n|[A-Za-z0-9+/=])++)[\s\"'`,\\n]*")
_NO_BODY = re.compile(r"\\n|[^A-Za-z0-9+/=]")
_HEADER = re.compile(r"[\s#>*/|\"'`]*(?:[A-Za-z0-9-]{2,40}: ?.*)?")
PRIVATE_KEY = "private key"
SPELLED = "[secret]"
LEAST_BODY = 100
"""Letters of base64: the shortest real key has more, and an example is cut short after one line."""
MOST_LINES = 400


@dataclass(frozen=True, slots=True)
class Key:
    """A likely key."""

    start: int
    """Number of its first line, from 0."""
    end: int
    """Of its last line."""
    kind: str
    value: str = field(repr=False)
    """Never to be shown or stored; empty where it is all of the lines."""


def find_keys(text: str) -> list[Key]:
    """The likely keys of a text, by line. Time grows with the text, whatever it holds."""
    found = list(_blocks(text))
    if may_hold(text):
        found += _values(text)
    return sorted(found, key=lambda key: (key.start, key.end))


def without_keys(text: str) -> str:
    """The text with `[secret]` in the place of every likely key."""
    keys = find_keys(text)
    for value in sorted({key.value for key in keys if key.value}, key=len, reverse=True):
        text = text.replace(value, SPELLED)
    lines = text.split("\n")
    for key in reversed([key for key in keys if not key.value]):
        lines[key.start : key.end + 1] = [SPELLED]
    return "\n".join(lines)


def may_hold(text: str) -> bool:
    """Whether the rules have to be asked: something in the text is long, without a blank, and has a digit and a letter.

    Most edits have nothing like it, and then the scanner is never loaded.
    """
    return any(_is_mixed(word) for word in _WORTH_IT.findall(text))


def _is_mixed(word: str) -> bool:
    return (_DIGIT.search(word) is not None and not word.isdigit()) or "hf_" in word or "://" in word


def _values(text: str) -> Iterator[Key]:
    for rule in load_rules().matching(text):
        line = place = 0
        for match in rule.pattern.finditer(text):
            start, whole = match.start(), match.group()
            value = max((group for group in match.groups() if group), key=len, default="")
            if (rule.form == ASSIGNED or _begins(text, start)) and _is_key(rule, whole, value):
                line += text.count("\n", place, start)
                place = start
                yield Key(line, line + whole.count("\n"), rule.name, value or whole)


def _begins(text: str, start: int) -> bool:
    """Whether no word goes on where a match begins: in the middle of a digest anything may stand."""
    before = text[start - 1] if start else ""
    return not (text[start].isalnum() and (before.isalnum() or before == "_"))


def _is_key(rule: Rule, whole: str, value: str) -> bool:
    if rule.form == BASIC_AUTH:
        return looks_random(value, 8)
    if rule.form == JWT:
        return is_token(whole)
    value = value if len(value) >= 12 else whole
    return looks_random(value) if rule.loose else not stands_in(value)


def _blocks(text: str) -> Iterator[Key]:
    """Private keys between BEGIN and END, of which enough is there to be one."""
    if not _BLOCK.search(text):
        return
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        if _BLOCK.search(lines[first]):
            body, number = _body(lines, first)
            if len(body) >= LEAST_BODY and len(set(body)) >= 20 and not stands_in(body[:40]):
                yield Key(first, number, PRIVATE_KEY, "")
        number += 1


def _body(lines: list[str], first: int) -> tuple[str, int]:
    """The base64 that follows the line on which a block begins, and the number of the line that ends it."""
    inside = lines[first].rpartition("-----BEGIN ")[2].partition("-----")[2]
    body = [_NO_BODY.sub("", inside.partition("-----")[0])]
    last = first
    for number in range(first + 1, min(first + MOST_LINES, len(lines))):
        line = lines[number]
        if "-----END" in line:
            last = number
            break
        if found := _BODY.fullmatch(line):
            body.append(found["body"])
            last = number
        elif not _HEADER.fullmatch(line):
            break
    return "".join(body), last
