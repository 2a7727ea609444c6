"""A text that is looked at for keys, and what is found in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

_WORD = re.compile(r"(?<![^\s(*_])[a-z]{4,40}(?=[.,:;!?)*_]{0,3}(?:\s|$))")
# What stands behind a sign of assignment or an option may be the very password.
_VALUE = re.compile(r"(?:[:=]|\bpass\w{0,8}|\bwith|\bis|(?<!\S)--?[a-z][a-z-]{0,20})[ \t]{1,2}\S+")
_MOST = 200_000
"""Letters of a text in which its own words are looked for: what a longer one is about it has said by then."""


class Found(NamedTuple):
    """Where a likely key stands, by character."""

    first: int
    past: int
    kind: str


@dataclass(frozen=True)
class Looked:
    """A text."""

    text: str = field(repr=False)
    template: bool = False
    """Whether it is a template of settings: what a person would choose as a password is an example there."""

    def speaks_of(self, stem: str, times: int = 1) -> bool:
        """Whether it uses a word, in small letters, so many times where no value stands."""
        return self._words[stem] >= times

    @cached_property
    def _words(self) -> Counter[str]:
        return Counter(_WORD.findall(_VALUE.sub(" ", self.text[:_MOST].lower())))


Judge = Callable[[Any, Looked], tuple[int, int] | None]
"""Where the key of a match stands; None where it is none."""


class Rule(NamedTuple):
    """A kind of key, by what it looks like."""

    kind: str
    """As a person is told of it."""
    pattern: str
    """As re2 reads it."""
    judge: Judge
