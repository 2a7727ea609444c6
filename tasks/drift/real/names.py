"""The names that occur in a repository's files other than its documentation."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from tasks.drift.pages import read_page
from tasks.drift.real.slips import Slips
from tasks.drift.tree import TextFile, Tree

PROSE = frozenset({"readme", "manual", "doc", "note"})
"""The kinds that are documentation from their first line to their last."""

_WORD = re.compile(r"[A-Za-z_]\w*(?:-\w+)*")
LARGE_FAMILY = 100
"""Names with the same first part, from which on code that holds the part alone looks for them, and makes none."""


@dataclass(frozen=True)
class Names:
    """The words of a tree's code, settings and data."""

    tree: Tree

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word as it is written, those in the names of files too; one with hyphens whole and in its parts."""
        found = {word for path in self.tree.paths for word in _WORD.findall(path.rpartition("/")[2])}
        for file in self.tree.files.values():
            if file.kind not in PROSE:
                found.update(_WORD.findall(code_of(file)))
        for word in [word for word in found if "-" in word]:
            found.update(word.split("-"))
        return frozenset(found)

    @cached_property
    def slips(self) -> Slips:
        """What finds the words that a name is a slip of."""
        return Slips(self.words)

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """First part of a name in capitals, with its `_` -> the names that begin with it."""
        families: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self.words):
            if "_" in word[1:] and word.isupper():
                families[family(word)].append(word)
        return families

    def holds(self, name: str) -> bool:
        """Whether a name occurs in any spelling (`MAIL_HOST`, `mailHost`), begins or ends another, or may be made."""
        if name in self.words or squash(name) in self._squashed:
            return True
        return _begins(self._forward, name + "_") or _begins(self._backward, name[::-1] + "_") or self.is_made(name)

    def is_made(self, name: str) -> bool:
        """Whether code may put a name together from a part that occurs and one that varies.

        The first part of a large family is looked for to list its names, not to make them.
        """
        borders = [index for index, character in enumerate(name) if character == "_"]
        if name.isupper() and any(name[border:] in self.words for border in borders):
            return True
        first, _, rest = name.partition("_")
        if "_" in rest and first.lower() in self.words and squash(rest) in self._squashed:
            return True
        stems = [name[: border + 1] for border in borders if border > 1 and name[: border + 1] in self.words]
        return any(
            len(self.families.get(stem, ())) < LARGE_FAMILY or squash(name.removeprefix(stem)) in self._squashed
            for stem in stems
        )

    @cached_property
    def _squashed(self) -> frozenset[str]:
        return frozenset(squash(word) for word in self.words)

    @cached_property
    def _forward(self) -> list[str]:
        return sorted(self.words)

    @cached_property
    def _backward(self) -> list[str]:
        return sorted(word[::-1] for word in self.words)


def _begins(words: list[str], start: str) -> bool:
    """Whether one of sorted words begins so."""
    place = bisect_left(words, start)
    return place < len(words) and words[place].startswith(start)


def code_of(file: TextFile) -> str:
    """The text of a file without a script's documentation."""
    if file.kind != "header":
        return file.text
    documenting = {number for number, _ in read_page(file).documentation}
    return "\n".join(line for number, line in enumerate(file.lines, start=1) if number not in documenting)


def family(name: str) -> str:
    """The first part of a name, with the `_` behind it."""
    return name[: name.index("_", 1) + 1] if "_" in name[1:] else name


def squash(name: str) -> str:
    """What all spellings of a name have in common."""
    return name.replace("_", "").replace("-", "").lower()
