"""Gitignore patterns: which paths an operator, a repository or a question wants."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from muniment.errors import SettingsError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec, RegexPattern

MAX_STARS = 3
"""Per part of a pattern: time grows with the length of a name to the power of its stars."""


def admits(include: Sequence[str], exclude: Sequence[str], named: str = "include") -> Callable[[str], bool]:
    """Whether a path is wanted by gitignore patterns: matched by `include`, if there are any, and not by `exclude`.

    Raises SettingsError for a pattern that can't mean what was meant: one that is dropped would widen what is indexed.
    `named` is what `include` is called where it was written.
    """
    wanted, unwanted = _matcher(include, named), _matcher(exclude, "exclude")

    def admitted(path: str) -> bool:
        return (wanted is None or wanted(path)) and not (unwanted and unwanted(path))

    return admitted


def compile_patterns(patterns: Sequence[str]) -> GitIgnoreSpec:
    """The patterns as the gitignore library reads them."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def _matcher(patterns: Sequence[str], key: str) -> Callable[[str], bool] | None:
    if not patterns:
        return None
    for pattern in patterns:
        if why := _fault(pattern):
            raise SettingsError(
                f"{key} pattern '{pattern}' {why}", "patterns are written as in a .gitignore, one to an item"
            )
    if all(pattern.startswith("!") for pattern in patterns):
        raise SettingsError(f"{key} has only exceptions: '{patterns[0]}'", "say first what they are exceptions from")
    rules = [(_entry_regex(compiled), compiled.include) for compiled in compile_patterns(patterns).patterns]
    rules.reverse()

    def decide(entry: str) -> bool:
        return next((bool(include) for regex, include in rules if regex.search(entry)), False)

    decide_folder = lru_cache(maxsize=65_536)(decide)

    def matches(path: str) -> bool:
        folders = accumulate(part + "/" for part in path.split("/")[:-1])
        return any(map(decide_folder, folders)) or decide(path)

    return matches


def _entry_regex(pattern: RegexPattern) -> re.Pattern[str]:
    """The pattern for the folder or file itself.

    Git decides folder by folder, the last pattern that matches each; pathspec's own regexes match what lies below as
    well, and would let an exception for one folder admit files of another.
    """
    regex = pattern.regex
    if regex is None or regex.pattern == ".":
        return re.compile(".")
    return re.compile(regex.pattern + (r"\Z" if "ps_d" in regex.groupindex else "."))


def _fault(pattern: str) -> str:
    """What is wrong with a pattern, or nothing."""
    if "," in pattern:
        return "holds a comma (in a name, write '?' for it)"
    if pattern.lstrip("!").startswith(("./", "../", "~")) or "\\\\" in pattern:
        return "is a path of the shell"
    if any(part.count("*") > MAX_STARS for part in pattern.split("/")):
        return f"has more than {MAX_STARS} stars between two slashes"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            compiled = compile_patterns([pattern]).patterns
    except (ValueError, re.error, FutureWarning) as error:
        return f"can't be read: {error}"
    return "" if compiled and compiled[0].include is not None else "matches nothing"
