"""The targets of Makefiles, the scripts of package.json and the recipes of justfiles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tasks.drift.tree import Tree

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")
MAX_INCLUDES = 50
_RULE = re.compile(r"([^\s:#=][^:#=]{0,400}?)\s{0,20}&?::?(?!=)")
_INCLUDE = re.compile(r"(-|s)?include\s+(.{1,400})")
_GENERATED = re.compile(r"(?!\t)\s*\$[({](?:eval|foreach|call)")
_VALUE = re.compile(r"(?:export\s+)?([\w.-]{1,80})\s{0,20}[:?+]?:?=\s{0,20}(.*)")
_VARIABLE = re.compile(r"\$\(([\w.-]{1,80})\)|\$\{([\w.-]{1,80})\}|\$\([^()]{0,200}\)")
MAX_LINE = 4_000
MAX_EXPANDED = 20_000
_RECIPE = re.compile(r"@?([A-Za-z_][\w-]{0,80})(?:\s[^:]{0,300})?:(?!=)")
_ALIAS = re.compile(r"alias\s+([\w-]{1,80})\s*:=")


@dataclass(frozen=True, slots=True)
class Runnable:
    """What one file lets a person run."""

    path: str
    names: frozenset[str]
    patterns: tuple[str, ...] = ()
    """Names with a `%`, which stands for any text."""
    open: bool = False
    """It may have names that can't be read off."""

    def runs(self, name: str) -> bool:
        """Whether a name is, or may be, one of its."""
        return self.open or name in self.names or any(_fits(name, pattern) for pattern in self.patterns)


def makefile_at(tree: Tree, folder: str) -> Runnable | None:
    """The Makefile of a folder with what it includes; None where there is none."""
    path = next((path for name in MAKEFILES if (path := _join(folder, name)) in tree.files), None)
    if path is None:
        return None
    lines, is_open = _with_includes(tree, folder, path)
    values = {found[1]: found[2] for line in lines if (found := _VALUE.match(line))}
    names: set[str] = set()
    for line in lines:
        if not line.startswith(("\t", "#")) and (rule := _RULE.match(line)):
            listed = line.partition(":")[2] if rule[1].strip() == ".PHONY" else rule[1]
            names.update(_expanded(listed, values).split())
    # What is left of a variable stands for any text.
    patterns = tuple(_VARIABLE.sub("%", name) for name in sorted(names) if "%" in name or "$" in name)
    return Runnable(path, frozenset(names), patterns, is_open)


def _with_includes(tree: Tree, folder: str, path: str) -> tuple[list[str], bool]:
    """The lines of a Makefile and of all that it includes, and whether some can't be told."""
    waiting, seen, lines, is_open = [path], set[str](), list[str](), False
    while waiting and len(seen) < MAX_INCLUDES:
        seen.add(current := waiting.pop())
        for line in tree.files[current].text.replace("\\\n", " ").split("\n"):
            lines.append(line[:MAX_LINE])
            is_open = is_open or bool(_GENERATED.match(line))
            if found := _INCLUDE.match(line):
                places = [_join(folder, word) for word in found[2].split("#")[0].split()]
                is_open = is_open or (not found[1] and any(place not in tree.files for place in places))
                waiting += [place for place in places if place in tree.files and place not in seen]
    return lines, is_open or bool(waiting)


def _expanded(text: str, values: Mapping[str, str]) -> str:
    """Text with its variables put in; two steps deep, and bounded in length."""
    for _ in range(2):
        text = _VARIABLE.sub(lambda found: values.get(found[1] or found[2] or "", found[0])[:MAX_LINE], text)[
            :MAX_EXPANDED
        ]
    return text


def package_at(tree: Tree, folder: str) -> Runnable | None:
    """The scripts of a folder's package.json; None where there is none, or none that can be read."""
    path = _join(folder, "package.json")
    if path not in tree.files:
        return None
    try:
        package = json.loads(tree.files[path].text)
    except (ValueError, RecursionError):
        return None
    scripts = package.get("scripts") if isinstance(package, dict) else None
    if not isinstance(scripts, dict):
        return None
    return Runnable(path, frozenset(scripts), open="workspaces" in package)


def justfile_at(tree: Tree, folder: str) -> Runnable | None:
    """The recipes of a folder's justfile; None where there is none."""
    path = next((path for name in JUSTFILES if (path := _join(folder, name)) in tree.files), None)
    if path is None:
        return None
    lines = tree.files[path].lines
    return Runnable(path, frozenset(_recipes(lines)), open=any(line.startswith(("import", "mod")) for line in lines))


def _recipes(lines: tuple[str, ...]) -> Iterator[str]:
    for line in lines:
        if found := (_ALIAS.match(line) or _RECIPE.match(line)):
            yield found[1]


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _fits(name: str, pattern: str) -> bool:
    """Whether a name begins and ends as a pattern does."""
    before, after = pattern.partition("%")[0], pattern.rpartition("%")[2]
    return len(name) > len(before) + len(after) and name.startswith(before) and name.endswith(after)
