"""Text folded for comparing words: lower case, no accents, every character still at its place."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """The text in lower case without accents, exactly as long as it was, so that positions carry over."""
    return "".join(map(_fold_char, text))


def words(text: str) -> tuple[str, ...]:
    """The folded words of a text, in order."""
    return tuple(_WORD.findall(fold(text)))


def any_of(table: str) -> str:
    """A regular expression that matches any of a table's patterns, which stand between `|` or on lines of their own."""
    return "(?:" + "|".join(filter(None, (part.strip() for part in re.split(r" \| |\n", table)))) + ")"


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    if char.isspace():
        return " " if char != "\n" else char
    return unicodedata.normalize("NFKD", char)[0].lower()[0]
