"""A repository's packages, and what a dotted name leads to in them."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import re2

from schemas.claims import Place
from tasks.drift.python.modules import Alias, Binding, Function, Module, members, read_module
from tasks.drift.tree import TextFile, Tree
from tasks.drift.truths.python_values import dotted

_MAX_HOPS = 12
_SOURCES = frozenset({"src", "lib", "python"})
_GENERIC = frozenset(
    {
        "tests",
        "test",
        "testing",
        "docs",
        "doc",
        "examples",
        "example",
        "scripts",
        "benchmarks",
        "tools",
        "samples",
        "src",
    }
    | {"lib", "setup", "vendor", "third_party", "migrations", "templates", "static", "demo", "demos", "tutorial"}
)
_TESTS = frozenset({"tests", "test", "testing"})
_MADE_LATER = re2.compile(r"_?version_*$|.*_pb2(?:_grpc)?$|_build.*$|_generated.*$")


@dataclass(frozen=True, slots=True)
class Found:
    """What a name leads to."""

    place: Place
    node: Function | ast.ClassDef | None = None
    """The definition, where it is one."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that leads nowhere."""

    parent: str
    """What is there: the dotted name of a module or class."""
    name: str
    """What it does not hold."""
    near: tuple[str, ...]
    """What it does hold."""


Outcome = Found | Missing | None
"""None where nothing is certain."""


class Library:
    """The packages of a tree. Modules are read when a name leads there."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, Module | None] = {}
        self._members: dict[ast.ClassDef, Mapping[str, Binding]] = {}

    @cached_property
    def files(self) -> Mapping[str, TextFile]:
        """Dotted name of each module of a package -> its file."""
        return {name: file for top in self.packages for name, file in self._files_of(top)}

    @cached_property
    def packages(self) -> Mapping[str, str]:
        """Name of each top package -> its folder; those that are there twice are left out."""
        folders = {path.rpartition("/")[0] for path in self._paths if path.endswith("/__init__.py")}
        tops = [folder for folder in folders if folder.rpartition("/")[0] not in folders and self._is_installed(folder)]
        names = Counter(folder.rpartition("/")[2] for folder in tops)
        return {
            name: folder
            for folder in sorted(tops)
            if names[name := folder.rpartition("/")[2]] == 1
            and _GENERIC.isdisjoint([name, *(part for part in folder.split("/")[:-1] if part not in _SOURCES)])
        }

    def _is_installed(self, folder: str) -> bool:
        """Whether a folder is where a package that gets installed lies: at the top, or in a project of its own."""
        above = folder.rpartition("/")[0]
        project = above.rpartition("/")[0] if above.rpartition("/")[2] in _SOURCES else above
        named = (f"{project}/{name}".lstrip("/") for name in ("pyproject.toml", "setup.py", "setup.cfg"))
        return not project or any(name in self._tree.paths for name in named)

    def _files_of(self, top: str) -> Iterator[tuple[str, TextFile]]:
        folder = self.packages[top]
        for path in self._paths:
            if path.startswith(f"{folder}/") and path.endswith(".py"):
                inner = path[len(folder) + 1 : -3].removesuffix("__init__").rstrip("/")
                # An empty file holds no text, and is a module all the same.
                file = self._tree.files.get(path, TextFile(path, ""))
                yield ".".join(filter(None, [top, *inner.split("/")])), file

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self._tree.files.keys() | self._tree.others)

    def text_of(self, path: str) -> TextFile | None:
        """The file at a path."""
        return self._tree.files.get(path)

    def find(self, dotted: str) -> Outcome:
        """What a dotted name that starts with a package leads to."""
        return self._find(dotted.split("."), 0)

    def module(self, name: str) -> Module | None:
        """A module of a package; None where there is none, or none that parses."""
        if name not in self._modules:
            file = self.files.get(name)
            read = read_module(name, file.text, file.name == "__init__.py") if file else None
            self._modules[name] = read
        return self._modules[name]

    def _find(self, parts: list[str], hops: int) -> Outcome:
        if hops > _MAX_HOPS or parts[0] not in self.packages:
            return None
        # The longest module comes first: `a.b.c` may be a module though `a/b/__init__.py` does not name it.
        size = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in self.files), 0)
        if not size:
            return None
        name, rest = ".".join(parts[:size]), parts[size:]
        if not rest:
            return Found(Place(self.files[name].path, 1))
        outcome = self._in_module(name, rest, hops)
        # What hides behind a value or a name made at run time in a package further up is not certain.
        above = (self.module(".".join(parts[:n])) for n in range(1, size))
        if isinstance(outcome, Missing) and any(one is None for one in above):
            return None
        return outcome

    def _in_module(self, name: str, rest: list[str], hops: int) -> Outcome:
        module = self.module(name)
        if module is None:
            return None
        if rest[0] in module.bound:
            return self._through(module.bound[rest[0]], name, rest, hops)
        starred = [self._find([*star.split("."), *rest], hops + 1) for star in module.stars]
        if found := next((one for one in starred if isinstance(one, Found)), None):
            return found
        if module.dynamic or any(one is None for one in starred) or self._may_be_made(name, rest[0]):
            return None
        return Missing(name, rest[0], (*module.bound, *self._inside.get(name, ())))

    def _through(self, binding: Binding, module: str, rest: list[str], hops: int) -> Outcome:
        if isinstance(binding, Alias):
            target = [*binding.module.split("."), *([binding.name] if binding.name else []), *rest[1:]]
            return self._find(target, hops + 1)
        place = Place(self.files[module].path, binding.lineno if binding else 1)
        if len(rest) == 1:
            return Found(place, binding)
        if isinstance(binding, ast.ClassDef):
            return self._in_class(binding, module, rest[1:], hops)
        return None

    def _in_class(self, node: ast.ClassDef, module: str, rest: list[str], hops: int) -> Outcome:
        held = self._held(node)
        if rest[0] in held:
            binding = held[rest[0]]
            place = Place(self.files[module].path, binding.lineno if isinstance(binding, ast.stmt) else node.lineno)
            known = binding if isinstance(binding, ast.stmt) else None
            return Found(place, known) if len(rest) == 1 else None
        inherited = [self._in_base(base, module, rest, hops) for base in node.bases]
        if found := next((one for one in inherited if isinstance(one, Found)), None):
            return found
        sure = not node.keywords and all(isinstance(one, Missing) for one in inherited) and not _is_altered(node, held)
        own = self.module(module)
        if not sure or own is None or own.dynamic or hasattr(object, rest[0]):
            return None
        return Missing(f"{module}.{node.name}", rest[0], tuple(held))

    def _held(self, node: ast.ClassDef) -> Mapping[str, Binding]:
        if node not in self._members:
            self._members[node] = members(node)
        return self._members[node]

    def _in_base(self, base: ast.expr, module: str, rest: list[str], hops: int) -> Outcome:
        name = dotted(base)
        if not name:
            return None
        own = self.module(module)
        if own and name not in own.bound and name in ("object", "Exception", "ValueError", "TypeError", "RuntimeError"):
            there = hasattr(getattr(builtins, name), rest[0])
            return None if there else Missing(name, rest[0], ())
        if own is None or name.partition(".")[0] not in own.bound:
            return None
        return self._in_module(module, [*name.split("."), *rest], hops + 1)

    def _may_be_made(self, module: str, name: str) -> bool:
        """Whether a module is compiled or generated, or a folder without `__init__.py`."""
        folder = self.files[module].folder if self.module_is_package(module) else ""
        if not folder:
            return False
        others = self._stems.get(folder, frozenset())
        return name in others or f"{folder}/{name}" in self._tree.paths or _MADE_LATER.match(name) is not None

    def module_is_package(self, name: str) -> bool:
        """Whether a module is a folder with `__init__.py`."""
        return self.files[name].name == "__init__.py"

    @cached_property
    def _stems(self) -> Mapping[str, frozenset[str]]:
        stems: dict[str, set[str]] = {}
        for path in self._tree.paths:
            folder, _, name = path.rpartition("/")
            stems.setdefault(folder, set()).add(name.partition(".")[0])
        return {folder: frozenset(names) for folder, names in stems.items()}

    @cached_property
    def _inside(self) -> Mapping[str, list[str]]:
        """Package -> the names of the modules right in it."""
        inside: dict[str, list[str]] = {}
        for name in self.files:
            inside.setdefault(name.rpartition(".")[0], []).append(name.rpartition(".")[2])
        return inside

    def defined_anywhere(self, name: str) -> bool:
        """Whether any module of a package defines or assigns a name, at whatever depth."""
        return name in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        pattern = re2.compile(r"(?:\bdef|\bclass)\s+(\w+)|(?:^|\s|\.)(\w+)\s*(?::[^=\n]{1,80})?=[^=]")
        return frozenset(
            word for file in self.files.values() for pair in pattern.findall(file.text) for word in pair if word
        )

    def is_text(self, dotted: str) -> bool:
        """Whether a string of a module begins with a dotted name, as those of settings, loggers and registries do."""
        return any(f"{quote}{dotted}" in file.text for file in self.files.values() for quote in "\"'")

    def homes_of(self, name: str) -> list[str]:
        """The dotted names under which public modules define a function or class of this name."""
        pattern = re2.compile(rf"(?m)^(?:async def|def|class) {re2.escape(name)}\b")
        return [
            f"{module}.{name}"
            for module, file in self.files.items()
            if name in file.text and _TESTS.isdisjoint(module.split(".")) and pattern.search(file.text)
        ]


def _is_altered(node: ast.ClassDef, held: Mapping[str, Binding]) -> bool:
    """Whether names of a class may come from elsewhere: its decorators, or its own look-up."""
    plain = {
        "dataclass",
        "dataclasses.dataclass",
        "final",
        "runtime_checkable",
        "total_ordering",
        "functools.total_ordering",
    }
    decorators = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return not held.keys().isdisjoint({"__getattr__", "__getattribute__"}) or any(
        dotted(one) not in plain for one in decorators
    )
