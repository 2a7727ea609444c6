"""Jinja in roles: the default of `{{ option | default('d') }}`, in task files and templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import MAX_LINE
from tasks.drift.truths.python_values import Source, environment_value
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import Value, computed, truth

_SUFFIXES = frozenset({"j2", "jinja", "jinja2", "yml", "yaml"})
_FOLDERS = frozenset({"tasks", "templates", "handlers", "defaults", "vars"})
_DEFAULT = re.compile(
    r"(?<![\w.\])])((?:item\.)?[A-Za-z_]\w{0,99}) {0,4}\| {0,4}(?:default|d) {0,2}\( {0,4}"
    r"('[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|\[[^\[\]\n]{0,200}\]|[\w.+\-*/ ]{1,100}) {0,4}(?:, {0,2}[Tt]rue {0,2})?\)"
)
_LITERALS = {"true": "True", "false": "False", "none": "None", "null": "None"}


def reads_jinja(file: TextFile) -> bool:
    """Whether a file is a task list or template of a role."""
    suffix = file.suffix
    return suffix in _SUFFIXES and not _FOLDERS.isdisjoint(file.folder.split("/")) and bool(bare_suffix(file) or suffix)


def read_jinja(file: TextFile) -> Iterator[Truth]:
    """Every default of a variable, or of a key of an `item`; `omit` is none."""
    for number, line in enumerate(file.lines, start=1):
        if "default" in line and "|" in line and len(line) <= MAX_LINE and not line.lstrip().startswith("#"):
            for found in _DEFAULT.finditer(line):
                value = _value(found[2].strip())
                if value.refers != "omit" and not (_is_guard(value) and not found[1].startswith("item.")):
                    yield truth(file, "jinja", found[1], number, value)


def _is_guard(value: Value) -> bool:
    """Whether a default only keeps an unset variable from being an error: what it really is stands in `defaults`."""
    return value.text in ("", "False", "[]", "{}")


def _value(raw: str) -> Value:
    try:
        node = ast.parse(_LITERALS.get(raw, raw), mode="eval").body
    except (SyntaxError, ValueError):
        return computed(raw)
    return environment_value(node, Source(raw))
