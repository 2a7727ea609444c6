"""The names that occur in a repository's files other than its documentation."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix

from tasks.drift.pages import read_page
from tasks.drift.tree import TextFile, Tree

PROSE = frozenset({"readme", "manual", "doc", "note"})
"""The kinds that are documentation from their first line to their last."""

_WORD = re.compile(r"[A-Za-z_]\w*(?:-\w+)*")
_LETTERS_BEFORE = re.compile(r"(?:[A-Z]?[a-z]{1,40}|[A-Z]{1,40})$")
_LETTERS_AFTER = re.compile(r"[a-z]{1,40}|[A-Z]{1,40}")
_EDGE = 4
MIN_INNER = 4
"""In letters: what has to be left of the word that a slip lies in."""

LARGE_FAMILY = 100
MIN_SLIP = 7
"""In characters: shorter names are near each other by chance."""


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
    def _squashed(self) -> frozenset[str]:
        return frozenset(squash(word) for word in self.words)

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        """Words that other words are made of: `NAME_` before a variable part."""
        return tuple(word for word in self.words if word.endswith("_") and len(word.strip("_")) >= 2)

    @cached_property
    def _tails(self) -> tuple[str, ...]:
        """Words that other words are made of: `_NAME` behind a variable part."""
        return tuple(word for word in self.words if word.startswith("_") and word[1:3].isupper())

    @cached_property
    def _edges(self) -> dict[str, list[str]]:
        edges: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self.words):
            if len(word) >= MIN_SLIP - 2 and not word.endswith("_"):
                edges[word[:_EDGE]].append(word)
                edges["…" + word[-_EDGE:]].append(word)
        return edges

    @cached_property
    def families(self) -> dict[str, int]:
        """First part of a name in capitals, with its `_` -> how many names begin with it."""
        counts: dict[str, int] = defaultdict(int)
        for word in self.words:
            if "_" in word[1:] and word.isupper():
                counts[family(word)] += 1
        return counts

    def holds(self, name: str) -> bool:
        """Whether a name occurs, in any spelling (`AWS_BUCKET`, `awsBucket`, `aws-bucket`), or may be put together."""
        return name in self.words or squash(name) in self._squashed or self.is_made(name)

    def is_made(self, name: str) -> bool:
        """Whether code may put a name together from a part that occurs and one that varies.

        The first part of a large family is looked for to list its names, not to make them.
        """
        if name.isupper() and name.endswith(self._tails):
            return True
        stems = [stem for stem in self._stems if name.startswith(stem)]
        return any(
            self.families.get(stem, 0) < LARGE_FAMILY or squash(name.removeprefix(stem)) in self._squashed
            for stem in stems
        )

    def slips(self, name: str) -> tuple[str, ...]:
        """The words that a name is a slip of the pen of, by word."""
        if len(name) < MIN_SLIP:
            return ()
        near = {*self._edges.get(name[:_EDGE], ()), *self._edges.get("…" + name[-_EDGE:], ())}
        return tuple(sorted(word for word in near if is_slip(name, word)))


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


def is_slip(written: str, meant: str) -> bool:
    """Whether one name is the other but for one or two neighbouring characters that are lacking, doubled or swapped.

    A digit, another case or another beginning makes another name, and so does a plural.
    """
    if written == meant or abs(len(written) - len(meant)) > 2 or written == meant + "s":
        return False
    start = len(commonprefix((written, meant)))
    ours, theirs = written[start:], meant[start:]
    end = len(commonprefix((ours[::-1], theirs[::-1])))
    ours, theirs = ours[: len(ours) - end], theirs[: len(theirs) - end]
    if not start or not (ours + theirs).replace("_", "x").isalpha() or ours.lower() == theirs.lower():
        return False
    swapped = len(ours) == 2 and ours == theirs[::-1]
    return swapped or not ours or not theirs or (len(ours) == len(theirs) == 1)


def is_inner_slip(written: str, meant: str) -> bool:
    """Whether a slip lies inside of a long word: an ending more or less, or a short word changed, makes another name
    (`row_order`, `rows_order`; `get_name`, `gen_name`)."""
    longer = max(written, meant, key=len)
    if sorted(written) == sorted(meant):
        return True
    start = len(commonprefix((written, meant)))
    end = len(commonprefix((written[::-1], meant[::-1])))
    before = _LETTERS_BEFORE.search(longer[:start])
    after = _LETTERS_AFTER.match(longer[max(start, len(longer) - end) :])
    inner = len(before[0]) if before else 0, len(after[0]) if after else 0
    return min(inner) > 0 and sum(inner) >= MIN_INNER
