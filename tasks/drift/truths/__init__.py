"""Truths: the values that templates, scripts and code really give their options."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from schemas.claims import Truth
from tasks.drift.tree import TextFile
from tasks.drift.truths.c import read_c, reads_c
from tasks.drift.truths.compose import is_compose, read_compose
from tasks.drift.truths.dockerfile import read_dockerfile, reads_dockerfile
from tasks.drift.truths.env import read_env, reads_env
from tasks.drift.truths.go import read_go, reads_go
from tasks.drift.truths.ini import read_ini, reads_ini
from tasks.drift.truths.jinja import read_jinja, reads_jinja
from tasks.drift.truths.json_schema import read_json_schema, reads_json_schema
from tasks.drift.truths.php import read_php, reads_php
from tasks.drift.truths.python import read_python, reads_python
from tasks.drift.truths.rust import read_rust, reads_rust
from tasks.drift.truths.scope import decides
from tasks.drift.truths.shell import read_shell, reads_shell
from tasks.drift.truths.systemd import read_systemd, reads_systemd
from tasks.drift.truths.template import read_template, reads_template
from tasks.drift.truths.toml import read_toml, reads_toml
from tasks.drift.truths.yaml import read_yaml, reads_yaml


@dataclass(frozen=True, slots=True)
class TruthReader:
    """One form that truths are written in."""

    name: str
    reads: Callable[[TextFile], bool]
    read: Callable[[TextFile], Iterator[Truth]]
    """The truths of one file. Never raises: a file that can't be parsed has none."""


READERS: tuple[TruthReader, ...] = (
    TruthReader("template", reads_template, read_template),
    TruthReader("env", reads_env, read_env),
    TruthReader("ini", reads_ini, read_ini),
    TruthReader("systemd", reads_systemd, read_systemd),
    TruthReader("toml", reads_toml, read_toml),
    TruthReader("yaml", reads_yaml, read_yaml),
    TruthReader("dockerfile", reads_dockerfile, read_dockerfile),
    TruthReader("compose", is_compose, read_compose),
    TruthReader("json-schema", reads_json_schema, read_json_schema),
    TruthReader("shell", reads_shell, read_shell),
    TruthReader("python", reads_python, read_python),
    TruthReader("php", reads_php, read_php),
    TruthReader("go", reads_go, read_go),
    TruthReader("rust", reads_rust, read_rust),
    TruthReader("c", reads_c, read_c),
    TruthReader("jinja", reads_jinja, read_jinja),
)
"""In the order in which they win over one another. Each is one file."""


def read_truths(file: TextFile) -> tuple[Truth, ...]:
    """The truths of one file, by line, from every reader that reads it; what it says again is left out."""
    if not decides(file):
        return ()
    found = [truth for reader in READERS if reader.reads(file) for truth in reader.read(file)]
    first: dict[Truth, Truth] = {}
    for truth in sorted(found, key=lambda truth: truth.line):
        first.setdefault(replace(truth, line=0), truth)
    return tuple(first.values())
