"""Systemd units: `Service.TimeoutStopSec`, and the variables that `Environment=` sets."""

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import Assignment, assignments, has_sections
from tasks.drift.truths.scope import bare_suffix
from tasks.drift.truths.value import setting_value, truth

_UNITS = frozenset({"service", "timer", "socket", "mount", "automount", "path", "target", "slice", "swap"})
_VARIABLE = re.compile(r"\"([A-Za-z_]\w*)=([^\"]*)\"|'([A-Za-z_]\w*)=([^']*)'|(?<!\w)([A-Za-z_]\w*)=(\S*)")


def reads_systemd(file: TextFile) -> bool:
    """Whether a file is a unit or a drop-in of one."""
    return bare_suffix(file) in _UNITS and has_sections(file.lines)


def read_systemd(file: TextFile) -> Iterator[Truth]:
    """Every setting behind its section, and every variable of `Environment=` by its own name."""
    for one in assignments(file.lines):
        if one.name == "Environment":
            yield from _variables(file, one)
        else:
            yield truth(file, "systemd", one.option, one.line, one.value, commented=one.commented)


def _variables(file: TextFile, one: Assignment) -> Iterator[Truth]:
    for found in _VARIABLE.finditer(one.raw):
        name, raw = (text for text in found.groups() if text is not None)
        yield truth(file, "systemd", name, one.line, setting_value(raw), commented=one.commented)
