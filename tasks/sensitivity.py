"""How sensitive a document is said to be, however that is spelled; what is not clear counts as the strictest."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from schemas.stated import SENSITIVITIES, strictness
from tasks.frontmatter import MAX_CHARS, Value, strings

_KEY = "sensitivity"
_FURTHER = re.compile("(?:level|label|class|classification|rating)?")
_ALIKE = 0.85
"""`sensitivty` and `sensitivité` are that much like the key; `sensitivities` and `sensibility` are not."""
_NO = frozenset({"false", "no", "off", "0"})
_MAX_SHOWN = 300
_MARKS = ("---", "+++")
_LINE = re.compile(
    rf"(?:^|[\n\r\v\f\x85\u2028\u2029])[ \t]{{0,20}}[\"']?{_KEY}[\"']?\s{{0,3}}[:=\uff1a]", re.IGNORECASE
)


def sensitivity_of(values: Mapping[str, Value]) -> tuple[str, tuple[str, ...]]:
    """The strictest sensitivity that these keys state, on whatever level; and what of it can't be understood.

    A key with a slip in its name is taken for the one that was meant, and a word that is no sensitivity for the
    strictest: both are told.
    """
    strictest, faults = "", list[str]()
    for key, value in _meant(values):
        word, fault = _word(key, value)
        strictest = max(strictest, word, key=strictness)
        faults += filter(None, (fault, _taken(key) if word else ""))
    return strictest, tuple(faults)


def is_half_stated(text: str) -> bool:
    """Whether a text begins with what looks like front matter that speaks of sensitivity, and is none.

    Blanks before it, a mark that is too long or never comes again, TOML, or more of it than is read.
    """
    head = text.lstrip()
    return head.startswith(_MARKS) and bool(_LINE.search(head, 0, 2 * MAX_CHARS))


def _meant(values: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """Keys that mean sensitivity, at whatever depth; each value once, however many aliases lead to it."""
    waiting: list[Value] = [dict(values)]
    known = set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in known:
            continue
        known.add(id(one))
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            yield from ((key, value) for key, value in one.items() if _means(key))
            waiting += [value for key, value in one.items() if not _means(key)]


def _means(key: str) -> bool:
    letters = _letters(key)
    if letters.startswith(_KEY):
        return bool(_FURTHER.fullmatch(letters.removeprefix(_KEY)))
    return letters == "sensitive" or (
        abs(len(letters) - len(_KEY)) < 3 and SequenceMatcher(None, _KEY, letters).ratio() > _ALIKE
    )


def _letters(key: str) -> str:
    """The key without case, accents, blanks, and what nobody sees."""
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKD", key[:200]))).casefold()


def _taken(key: str) -> str:
    return "" if key.strip().lower() == _KEY else f"{_KEY}: that is what '{key[:_MAX_SHOWN].strip()}' is taken for"


def _word(key: str, value: Value) -> tuple[str, str]:
    """The sensitivity that the value of a key names; and why it is taken for restricted, where it is."""
    said = strings(value)
    words = [one.lower() for one in said]
    if value == "" or (words and _letters(key) != _KEY and _NO.issuperset(words)):
        return "", ""
    if words and all(word in SENSITIVITIES for word in words):
        return max(words, key=strictness), ""
    shown = ", ".join(said)[:_MAX_SHOWN] if said else "neither a word nor a list of words"
    return "restricted", f"{_KEY} '{shown}' is not known, so it is treated as restricted"
