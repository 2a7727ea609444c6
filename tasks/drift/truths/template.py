"""Conf templates and sample files: `KEY=value`, `key: value`, `key value`, and the same commented out."""

from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import assignments, has_sections
from tasks.drift.truths.env import reads_env
from tasks.drift.truths.scope import bare_suffix, is_sample
from tasks.drift.truths.value import truth

_CONF = frozenset({"conf", "cnf", "cf", "cfg", "config", "ini", "properties"})


def is_conf(file: TextFile) -> bool:
    """Whether a file is one of settings line by line, by its name."""
    suffix = bare_suffix(file)
    return suffix in _CONF or (not suffix and is_sample(file))


def reads_template(file: TextFile) -> bool:
    """Whether a file is a conf file without sections, and no environment file."""
    return is_conf(file) and not reads_env(file) and not has_sections(file.lines)


def read_template(file: TextFile) -> Iterator[Truth]:
    """Every setting, commented-out ones marked as such."""
    for one in assignments(file.lines, spaced=bare_suffix(file) in _CONF):
        yield truth(file, "template", one.option, one.line, one.value, commented=one.commented)
