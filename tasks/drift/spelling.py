"""Spelling: when two spellings of an option mean the same one, and how far a name reaches."""

from __future__ import annotations

import re
from functools import lru_cache

_INDEX = re.compile(r"\[[^\[\]]*\]")
_NOT_NAME = re.compile(r"[^a-z0-9./]+")
_DOTS = re.compile(r"\.{2,}")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=65_536)
def folded(option: str) -> str:
    """The name without what documents and code spell differently: `--warn-at`, `WARN_AT` and `warnAt` are `warnat`.

    Dots and slashes stay, since they part a key from the keys above it; list indexes go.
    """
    name = _NOT_NAME.sub("", _INDEX.sub("", option).lower())
    return _DOTS.sub(".", name).strip("./")


def last_part(folded_name: str) -> str:
    """What follows the last dot."""
    return folded_name.rpartition(".")[2]


@lru_cache(maxsize=65_536)
def without_default(option: str) -> str:
    """The folded name of the option that a constant such as `DEFAULT_PORT` or `PORT_DEFAULT` is the default of.

    Empty when the name says no such thing.
    """
    words = [word.lower() for word in _WORDS.findall(option)]
    kept = [word for word in words if word not in ("default", "defaults")]
    return "".join(kept) if kept and len(kept) < len(words) else ""


@lru_cache(maxsize=65_536)
def is_compound(option: str) -> bool:
    """Whether a name is made of two words or more, so that it is unlikely to mean two things in one repository."""
    return "." not in option.strip(".") and len(_WORDS.findall(option)) > 1
