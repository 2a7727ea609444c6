"""Conf files with `[sections]`: the section stands before the key, `mail.port`."""

from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import assignments, has_sections
from tasks.drift.truths.template import is_conf
from tasks.drift.truths.value import truth


def reads_ini(file: TextFile) -> bool:
    """Whether a file is a conf file with sections."""
    return is_conf(file) and has_sections(file.lines)


def read_ini(file: TextFile) -> Iterator[Truth]:
    """Every setting, commented-out ones marked as such."""
    for one in assignments(file.lines):
        if "{" not in one.section:
            yield truth(file, "ini", one.option, one.line, one.value, commented=one.commented)
