"""Manifests: what a project's own files say of its name, its version and the interpreter that it needs."""

from __future__ import annotations

import ast
import json
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import re2

from schemas.claims import Place
from tasks.drift.tree import TextFile, Tree
from tasks.drift.truths.python_values import dotted

_ELSEWHERE = frozenset(
    {
        "docs",
        "doc",
        "documentation",
        "website",
        "site",
        "www",
        "blog",
        "examples",
        "example",
        "demo",
        "demos",
        "samples",
    }
    | {
        "test",
        "tests",
        "fixtures",
        "testdata",
        "vendor",
        "third_party",
        "node_modules",
        "tools",
        "scripts",
        "benchmarks",
    }
)
"""Folders whose manifests are those of tools and examples, not of what the documents are about."""

MAX_MANIFEST = 400_000
"""Characters; whatever is longer was not written by hand."""

_MAX_TEXT = 200
PACKAGE = "package"


@dataclass(frozen=True, slots=True)
class Stated:
    """One version that a file decides."""

    of: str
    """`package`, or the interpreter or compiler: `Python`, `Node.js`, `Go`, `PHP`, `Rust`."""
    version: str
    """The package's version, or the lowest that is allowed of an interpreter, by its numbers alone; empty for a package
    whose version is computed."""
    place: Place
    pinned: bool = False
    """It is the one version in use (an image, a version file), which says nothing of older or newer ones."""
    package: str = ""
    """The package's name, for its version."""


_Found = tuple[str, str, str, str]
"""What it is of, version or requirement, what stands on its line, package's name."""

_NUMBERS = re2.compile(r"\d+(?:\.\d+){0,3}")
_LOWEST = re2.compile(r"(?:^|[\s,|])(?:>=|~=|\^|~>?|==?|)\s*v?(\d+(?:\.\d+){0,3})")
_IMAGE = re2.compile(r"(?i)^\s*FROM\s+(?:--\S+\s+)?(?:[\w.-]+/){0,3}(python|node|golang|php|rust):(\d+(?:\.\d+){0,2})")
_IMAGES = {"python": "Python", "node": "Node.js", "golang": "Go", "php": "PHP", "rust": "Rust"}
_GO = re2.compile(r"^go\s+(\d+\.\d+(?:\.\d+)?)\s*$")
_CFG = re2.compile(r"^(name|version|python_requires)\s*=\s*(\S.*?)\s*$")


def read_manifests(tree: Tree) -> Mapping[str, tuple[Stated, ...]]:
    """Folder -> what its manifests decide. Files that can't be parsed decide nothing."""
    stated: dict[str, tuple[Stated, ...]] = {}
    for file in tree.files.values():
        reader = _READERS.get(file.name)
        if reader and len(file.text) <= MAX_MANIFEST and _ELSEWHERE.isdisjoint(file.folder.lower().split("/")):
            stated[file.folder] = (*stated.get(file.folder, ()), *_stated(file, reader))
    return stated


def lowest(requirement: str) -> str:
    """The lowest version that a requirement allows: `3.9` of `>=3.9,<4` and of `^3.9 || >=4`; empty where open."""
    allowed = [found[1] for found in _LOWEST.finditer(requirement)]
    return min(allowed, key=numbers_of, default="")


def numbers_of(version: str) -> tuple[int, ...]:
    """The numbers of a version, of which no more than four count."""
    found = _NUMBERS.search(version)
    return tuple(int(part[:9]) for part in found[0].split(".")) if found else ()


def _stated(file: TextFile, reader: Callable[[TextFile], Iterator[_Found]]) -> Iterator[Stated]:
    pinned = not file.name.endswith((".toml", ".json", ".cfg", ".py", ".mod"))
    try:
        found = list(reader(file))
    except (ValueError, RecursionError, TypeError, AttributeError, SyntaxError, MemoryError):
        # A manifest of another shape than its format asks for.
        return
    for of, version, mark, package in filter(_is_sound, found):
        decided = version if of == PACKAGE else lowest(version)
        if numbers_of(decided) or package:
            yield Stated(of, decided, Place(file.path, _line_of(file, mark, decided)), pinned, package)


def _is_sound(found: _Found) -> bool:
    return all(isinstance(part, str) and part.isascii() and len(part) <= _MAX_TEXT for part in found)


def _line_of(file: TextFile, mark: str, version: str) -> int:
    """The first line that holds the key and the version, or at least the version."""
    lines = list(enumerate(file.lines, start=1))
    both = (number for number, line in lines if mark in line and version in line)
    return next(both, next((number for number, line in lines if version in line), 1))


def _pyproject(file: TextFile) -> Iterator[_Found]:
    tables = tomllib.loads(file.text)
    project, poetry = tables.get("project", {}), tables.get("tool", {}).get("poetry", {})
    name = project.get("name") or poetry.get("name", "")
    yield PACKAGE, _text(project.get("version") or poetry.get("version")), "version", name
    yield "Python", _text(project.get("requires-python")), "requires-python", ""
    yield "Python", _text(poetry.get("dependencies", {}).get("python")), "python", ""


def _setup_cfg(file: TextFile) -> Iterator[_Found]:
    found = dict(match.groups() for line in file.lines if (match := _CFG.match(line)))
    yield PACKAGE, _static(found.get("version", "")), "version", found.get("name", "")
    yield "Python", found.get("python_requires", ""), "python_requires", ""


def _setup_py(file: TextFile) -> Iterator[_Found]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = ast.parse(file.text)
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call))
    for call in calls:
        if dotted(call.func) in ("setup", "setuptools.setup"):
            given = {one.arg: _constant(one.value) for one in call.keywords}
            yield PACKAGE, given.get("version", ""), "version", given.get("name", "")
            yield "Python", given.get("python_requires", ""), "python_requires", ""


def _package_json(file: TextFile) -> Iterator[_Found]:
    package = json.loads(file.text)
    yield PACKAGE, _text(package.get("version")), '"version"', _text(package.get("name"))
    yield "Node.js", _text(package.get("engines", {}).get("node")), '"node"', ""


def _cargo(file: TextFile) -> Iterator[_Found]:
    package = tomllib.loads(file.text).get("package", {})
    yield PACKAGE, _text(package.get("version")), "version", _text(package.get("name"))
    yield "Rust", _text(package.get("rust-version")), "rust-version", ""


def _composer(file: TextFile) -> Iterator[_Found]:
    package = json.loads(file.text)
    yield PACKAGE, _text(package.get("version")), '"version"', _text(package.get("name"))
    yield "PHP", _text(package.get("require", {}).get("php")), '"php"', ""


def _go_mod(file: TextFile) -> Iterator[_Found]:
    yield from (("Go", found[1], "go ", "") for line in file.lines if (found := _GO.match(line)))


def _python_version(file: TextFile) -> Iterator[_Found]:
    yield "Python", file.lines[0].strip(), "", ""


def _node_version(file: TextFile) -> Iterator[_Found]:
    yield "Node.js", file.lines[0].strip(), "", ""


def _dockerfile(file: TextFile) -> Iterator[_Found]:
    images = (found for line in file.lines if (found := _IMAGE.match(line[:500])))
    yield from ((_IMAGES[found[1].lower()], found[2], "FROM", "") for found in images)


_READERS: Mapping[str, Callable[[TextFile], Iterator[_Found]]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "composer.json": _composer,
    "go.mod": _go_mod,
    ".python-version": _python_version,
    ".nvmrc": _node_version,
    ".node-version": _node_version,
    "Dockerfile": _dockerfile,
}


def _constant(node: ast.expr) -> str:
    return _text(node.value) if isinstance(node, ast.Constant) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _static(version: str) -> str:
    # `attr: package.__version__` is decided elsewhere.
    return "" if version.startswith(("attr:", "file:")) else version
