"""Substitutions: each `${V:-d}` in a line, as Docker and Compose read them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.drift.truths.value import Value, setting_value

MAX_DEFAULT = 500
"""In characters."""

_OPENS = re.compile(r"(?<!\$)\$\{([A-Za-z_]\w{0,99}):?[-=]")
_PLAIN = re.compile(r"\$\{([A-Za-z_]\w{0,99})\}|\$([A-Za-z_]\w{0,99})")


def substitutions(line: str) -> Iterator[tuple[str, Value]]:
    """The variables that have a default, in order, with it; those within the default of another one too."""
    for found in _OPENS.finditer(line):
        end = _closing(line, found.end())
        if end >= 0:
            yield found[1], setting_value(line[found.end() : end])


def substituted(text: str) -> str:
    """The variable whose value a text is, with or without a default; empty where it is more than that."""
    found = _OPENS.match(text)
    if found and _closing(text, found.end()) == len(text) - 1:
        return found[1]
    found = _PLAIN.fullmatch(text)
    return (found[1] or found[2]) if found else ""


def _closing(line: str, start: int) -> int:
    depth = 1
    for index in range(start, min(len(line), start + MAX_DEFAULT)):
        depth += (line[index] == "{") - (line[index] == "}")
        if not depth:
            return index
    return -1
