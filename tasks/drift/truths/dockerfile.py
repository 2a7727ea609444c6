"""Dockerfiles: what `ARG` and `ENV` give, in either syntax and over continued lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.scope import bare_name
from tasks.drift.truths.shell_values import word_value
from tasks.drift.truths.substitution import substituted, substitutions
from tasks.drift.truths.value import Value, computed, truth

_NAMES = ("dockerfile", "containerfile")
_INSTRUCTION = re.compile(r"\s*(ARG|ENV)\s+(.*)$", re.IGNORECASE)
_PAIR = re.compile(r"(?:^|\s)([A-Za-z_]\w*)=(\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:\\.|[^\s\\\"'])*)")
_BLANK = re.compile(r"([A-Za-z_]\w*)\s+([^=\s].*)$")


def reads_dockerfile(file: TextFile) -> bool:
    """Whether a file is a Dockerfile, by its name: `Dockerfile`, `Dockerfile.alpine`, `web.dockerfile`."""
    name = bare_name(file)
    return name.split(".")[0] in _NAMES or name.endswith(tuple(f".{one}" for one in _NAMES))


def read_dockerfile(file: TextFile) -> Iterator[Truth]:
    """Every `ARG` with a default, and every `ENV`."""
    for line, text, first in _instructions(file.lines):
        for name, raw in _pairs(text, first):
            if substituted(raw.strip('"')) != name:
                yield truth(file, "dockerfile", name, line, _value(raw))
        for name, value in substitutions(text):
            yield truth(file, "dockerfile", name, line, value)


def _instructions(lines: tuple[str, ...]) -> Iterator[tuple[int, str, bool]]:
    """The lines of each `ARG` and `ENV`, with their numbers, and whether each is the first."""
    going_on = False
    for number, line in enumerate(lines, start=1):
        found = None if going_on else _INSTRUCTION.match(line)
        if len(line) > MAX_LINE or not (found or going_on) or (going_on and line.lstrip().startswith("#")):
            continue
        text = (found[2] if found else line).rstrip()
        yield number, text.removesuffix("\\"), found is not None
        going_on = text.endswith("\\")


def _pairs(text: str, first: bool) -> list[tuple[str, str]]:
    if first and (blank := _BLANK.match(text)) and "=" not in blank[1]:
        return [(blank[1], blank[2])] if not _PAIR.match(text) else []
    return [(found[1], found[2]) for found in _PAIR.finditer(text)]


def _value(raw: str) -> Value:
    name = substituted(raw.strip('"'))
    return computed(raw.strip('"'), name) if name else word_value(raw)
