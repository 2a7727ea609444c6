"""Absent values: the words and signs with which documents and files say that an option has none."""

from __future__ import annotations

import re2

from schemas.claims import Verdict

LITERALS = frozenset({"none", "null", "nil", "nul", "undefined", "~", "''", '""', "{}", "[]", "()", "{ }", "[ ]"})
WORDS = frozenset(
    {
        "", "empty", "unset", "un-set", "not set", "not defined", "not specified", "unspecified", "undef", "nothing",
        "blank", "no default", "no value", "n/a", "na", "-", "--", "—", "–", "empty string", "empty list",
        "empty array", "empty dict", "empty dictionary", "empty map", "empty object", "absent",
    }
)  # fmt: skip
_ARTICLE = re2.compile(r"(?i)^(?:an|the|a)\s+|^\(|\)$|^<|>$|\s+by default$")


def is_absent(text: str) -> bool:
    """Whether a text says that there is no value."""
    word = str(_ARTICLE.sub("", text.strip())).lower()
    return word in LITERALS or word in WORDS


def absent(left: str, right: str, _option: str) -> Verdict | None:
    """Whether both say that there is no value: `None`, `null`, `~`, `""`, `{}`, `not set`, nothing at all."""
    return "agrees" if is_absent(left) and is_absent(right) else None
