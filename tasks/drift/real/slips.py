"""Slips of the pen: names that differ from a real one by what a hurried hand does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from difflib import get_close_matches
from posixpath import commonprefix

MIN_SLIP = 7
"""In characters: shorter names are near each other by chance."""

MIN_INNER = 4
"""In letters: what has to be left of the word that a slip lies in."""

MAX_NEAR = 300
"""Words of one length and beginning, or ending, that are looked at."""

MAX_WORDS = 500
MAX_LENGTH = 120
_EDGE = 4
_LETTERS_BEFORE = re.compile(r"(?:[A-Z]?[a-z]{1,40}|[A-Z]{1,40})$")
_LETTERS_AFTER = re.compile(r"[a-z]{1,40}|[A-Z]{1,40}")


class Slips:
    """Finds the words that a name may have been meant as.

    A slip in one place leaves the first or the last letters as they are, so that few words have to be looked at.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._edges: dict[tuple[str, str, int], list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= MIN_SLIP - 2 and not word.endswith("_"):
                self._edges[word[:_EDGE], "", len(word)].append(word)
                self._edges["", word[-_EDGE:], len(word)].append(word)

    def of(self, name: str) -> list[str]:
        """The words that a name is a slip of, in the order of the alphabet."""
        if len(name) < MIN_SLIP:
            return []
        near: set[str] = set()
        for size in range(len(name) - 2, len(name) + 3):
            near.update(self._edges.get((name[:_EDGE], "", size), ())[:MAX_NEAR])
            near.update(self._edges.get(("", name[-_EDGE:], size), ())[:MAX_NEAR])
        return sorted(word for word in near if is_slip(name, word))


def is_slip(written: str, meant: str) -> bool:
    """Whether one name is the other but for one or two neighbouring characters that are lacking, doubled or swapped.

    A digit, another case or another beginning makes another name, and so does a plural.
    """
    if written == meant or abs(len(written) - len(meant)) > 2 or written == meant + "s":
        return False
    start, end = _common(written, meant)
    ours, theirs = written[start : len(written) - end], meant[start : len(meant) - end]
    if not start or not (ours + theirs).replace("_", "x").isalpha() or ours.lower() == theirs.lower():
        return False
    swapped = len(ours) == 2 and ours == theirs[::-1]
    return swapped or not ours or not theirs or (len(ours) == len(theirs) == 1)


def is_inner_slip(written: str, meant: str) -> bool:
    """Whether a slip lies inside of a long word: an ending more or less, or a short word changed, makes another name
    (`row_order`, `rows_order`; `get_name`, `gen_name`)."""
    if sorted(written) == sorted(meant):
        return True
    longer = max(written, meant, key=len)
    start, end = _common(written, meant)
    before = _LETTERS_BEFORE.search(longer[:start])
    after = _LETTERS_AFTER.match(longer[len(longer) - end :])
    inner = len(before[0]) if before else 0, len(after[0]) if after else 0
    return min(inner) > 0 and sum(inner) >= MIN_INNER


def closest(name: str, words: Iterable[str], cutoff: float = 0.8) -> str:
    """The most similar of some words; empty where none is similar enough, and for what is too long to compare."""
    known = sorted(set(words))[:MAX_WORDS]
    near = get_close_matches(name, known, n=1, cutoff=cutoff) if len(name) <= MAX_LENGTH else []
    return near[0] if near else ""


def slipped_word(written: str, meant: str) -> str:
    """The one of the words in a name, between hyphens, that the slip lies in."""
    start = _common(written, meant)[0]
    return written[written.rfind("-", 0, start) + 1 :].partition("-")[0]


def _common(written: str, meant: str) -> tuple[int, int]:
    """How many characters two names have in common at the beginning, and in the rest at the end."""
    start = len(commonprefix((written, meant)))
    return start, len(commonprefix((written[start:][::-1], meant[start:][::-1])))
