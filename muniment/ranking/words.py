"""The words of a question and of a title: which count, and when two are the same."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ings?|ions?|ies|ied|ed|es|e|s|y)$")
_TWICE = re.compile(r"([^\W\daeiouls_])\1$")
# A flag; a path with a dot or from a root; a name with an underscore or a dot inside; camelCase; three words joined.
# Not a plain acronym: HTTP and JSON are words like any other.
_IDENTIFIER = re.compile(
    r"(?<![\w/.-])("
    r"--?[a-z][\w-]*"
    r"|[.~]{0,2}/[\w.-]+(?:/[\w.-]+)*|[\w-]+(?:/[\w-]+)*/[\w-]+(?:\.\w+)+"
    r"|(?>\w+(?:[_.]+\w+)+)|[a-z]+[A-Z]\w*|\w+-\w+-\w[\w-]*"
    r")(?!\w)"
)
_NAMELESS = frozenset({"readme", "index", "_index", "main", "init", "__init__", "overview", "intro"})
STOP_WORDS = frozenset(
    # No list: it is read as words, and added to as words.
    """a about after all also am an and any are as at be been before being both but by can cannot could did do does
    doing done down each else ever every for from get gets give go goes had has have having he her here him his
    how i if in into is it its itself just let like make makes many may me might more most much must my need no
    not now of off on one only or other our out over own same set shall she should so some such than that the
    their them then there these they this those through to too under until up us use used using very want was we
    were what when where whether which while who whom whose why will with would you your""".split()  # noqa: SIM905
)


@lru_cache(maxsize=8_192)
def words_of(text: str) -> tuple[str, ...]:
    """The words that count, in order, each cut to its stem; parts of snake_case and camelCase are words."""
    return tuple(
        stem(word) for found in _WORD.findall(_HUMP.sub(" ", text)) if (word := found.lower()) not in STOP_WORDS
    )


def identifiers_of(question: str) -> tuple[str, ...]:
    """Names that a question spells as a program does: flags, CONSTANTS, `a_b`, `a.b`, `aB`, `a-b-c`."""
    return tuple(dict.fromkeys(_IDENTIFIER.findall(question)))


@lru_cache(maxsize=8_192)
def name_words(path: str) -> tuple[str, ...]:
    """The words of a document's name; of its folder's, where the name says nothing."""
    place = PurePosixPath(path)
    name = place.name.partition(".")[0]
    return words_of(place.parent.name if name.lower() in _NAMELESS else name)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The word without its ending, so that `rotate`, `rotates` and `rotation` are one."""
    return _TWICE.sub(r"\1", _ENDING.sub("", word))
