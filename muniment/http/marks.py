"""Passages as HTML: escaped first, then with our own marks around the words that the question has too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from muniment.inert import inert
from muniment.ranking.words import words_of

_WORD = re.compile(r"[^\W_]+")


def marked(text: str, question: str) -> str:
    """The text, inert and escaped, with `<mark>` around each word of which the question has a form."""
    return "".join(_pieces(inert(text), frozenset(words_of(question))))


def _pieces(text: str, wanted: frozenset[str]) -> Iterator[str]:
    done = 0
    for found in _WORD.finditer(text) if wanted else ():
        if wanted.isdisjoint(words_of(found.group())):
            continue
        yield escape(text[done : found.start()])
        yield f"<mark>{escape(found.group())}</mark>"
        done = found.end()
    yield escape(text[done:])
