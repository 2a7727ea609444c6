"""Environment files: `KEY=value`, as Docker, Compose and shells read them."""

import re
from collections.abc import Iterator

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.assignments import assignments
from tasks.drift.truths.scope import bare_name
from tasks.drift.truths.value import truth

_NAME = re.compile(r"[A-Za-z_]\w*")


def reads_env(file: TextFile) -> bool:
    """Whether a file is an environment file, by its name: `.env`, `.env.example`, `mail.env`, `env.sample`."""
    name = bare_name(file)
    return name == "env" or name.endswith(".env") or name.startswith(".env.")


def read_env(file: TextFile) -> Iterator[Truth]:
    """Every variable, commented-out ones marked as such."""
    for one in assignments(file.lines):
        if _NAME.fullmatch(one.name):
            yield truth(file, "env", one.name, one.line, one.value, commented=one.commented)
