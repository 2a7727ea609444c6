"""Which paths a repository's own `.gitignore` files keep out of it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from muniment.patterns import MAX_STARS, compile_patterns
from tasks.drift.tree import Tree

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_PATTERNS = 2_000
"""Per file; patterns come from the repository, and each costs time for each path asked about."""


class Ignored:
    """Answers for paths that do not exist in the tree, such as links to what a build makes."""

    def __init__(self, tree: Tree) -> None:
        self._specs = [(file.folder, _compile(file.lines)) for file in tree.files.values() if file.name == ".gitignore"]

    def __contains__(self, path: str) -> bool:
        return any(
            spec.match_file(inner) for folder, spec in self._specs for inner in _variants(_beneath(path, folder))
        )


def _compile(lines: tuple[str, ...]) -> GitIgnoreSpec:
    return compile_patterns(list(_sound(lines[:MAX_PATTERNS])))


def _sound(lines: tuple[str, ...]) -> Iterator[str]:
    """The lines that the library can read, and matches in bounded time."""
    for line in lines:
        if any(part.count("*") > MAX_STARS for part in line.split("/")):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", FutureWarning)
                compile_patterns([line])
        except (ValueError, re.error, FutureWarning):
            continue
        yield line


def _beneath(path: str, folder: str) -> str:
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(folder + "/") else ""


def _variants(path: str) -> tuple[str, ...]:
    """A path that is not there may have been meant as a file or as a folder."""
    return (path, path + "/") if path else ()
