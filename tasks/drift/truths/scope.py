"""Scope: which files can decide an option's value, and what a file is beneath the suffixes that call it a sample."""

from __future__ import annotations

from functools import lru_cache

from tasks.drift.tree import TextFile

_SAMPLES = frozenset(
    {"template", "tmpl", "tpl", "example", "examples", "sample", "dist", "default", "defaults", "in", "j2", "jinja"}
    | {"jinja2", "erb"}
)
_ELSEWHERE = frozenset(
    {"test", "tests", "testing", "__tests__", "spec", "specs", "testdata", "test_data", "test-data", "fixtures", "e2e"}
    | {"__fixtures__", "molecule", "locale", "locales", "migrations"}
    | {"node_modules", "bower_components", "vendor", "third_party", "third-party", "site-packages", "__pycache__"}
    | {"venv"}
)
_SCAFFOLDING = ("test_", "conftest.")


def decides(file: TextFile) -> bool:
    """Whether the file is part of what the repository ships and decides now: tests, fixtures, migrations, vendored code
    and hidden folders, which hold the set-up of tools, have values of their own."""
    folders = file.path.lower().split("/")[:-1]
    hidden = any(folder.startswith(".") for folder in folders)
    return not hidden and _ELSEWHERE.isdisjoint(folders) and not file.name.lower().startswith(_SCAFFOLDING)


def bare_name(file: TextFile) -> str:
    """The name in lower case without what calls it a sample: `mover.conf.template` and `mover.example.conf` are
    `mover.conf`, `env.sample` is `env`."""
    return _bare(file.name)


def bare_suffix(file: TextFile) -> str:
    """What the bare name ends in, without the dot; empty where it has none."""
    stem, dot, suffix = bare_name(file).rpartition(".")
    return suffix if stem and dot else ""


def is_sample(file: TextFile) -> bool:
    """Whether a suffix calls the file a template, sample or default."""
    return not _SAMPLES.isdisjoint(file.name.lower().split(".")[1:])


@lru_cache(maxsize=4_096)
def _bare(name: str) -> str:
    first, *parts = name.lower().split(".")
    return ".".join([first, *(part for part in parts if part not in _SAMPLES)])
