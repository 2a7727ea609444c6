"""The names and flags that occur in a repository's documents, and how often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tasks.drift.pages import read_page
from tasks.drift.real.names import family
from tasks.drift.tree import TextFile, Tree

NAMES = re.compile(r"(?<![\w<%/-])[A-Za-z][a-z0-9]{0,40}(?:[A-Z_][A-Za-z0-9_]{1,60}[A-Za-z0-9])(?![\w>%*/-])")
"""Names of several words, `like_this` or `likeThis`; parts of paths and placeholders are none."""

FLAGS = re.compile(r"(?<![\w-])--([a-z][a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,6})(?![\w*<{$-])")


@dataclass(frozen=True)
class Documented:
    """Counts over all documents of a tree; templates are none of them."""

    tree: Tree

    @cached_property
    def names(self) -> dict[str, Counter[str]]:
        """Path -> names of several words -> how often the document has them."""
        return {file.path: Counter(NAMES.findall(_text(file))) for file in self._files}

    @cached_property
    def counts(self) -> Counter[str]:
        """Name of several words -> how often all documents have it."""
        total: Counter[str] = Counter()
        for counter in self.names.values():
            total.update(counter)
        return total

    @cached_property
    def flags(self) -> Counter[str]:
        """Long flag, without its hyphens -> how often all documents have it."""
        return Counter(flag for file in self._files for flag in FLAGS.findall(_text(file)))

    def family_sizes(self, real: frozenset[str]) -> Counter[str]:
        """First part of names in capitals -> how many of the real ones the documents have."""
        return Counter(family(name) for name in self.counts if name.isupper() and name in real)

    @property
    def _files(self) -> list[TextFile]:
        return [file for file in self.tree.documents if file.kind != "template"]


def document_lines(file: TextFile) -> Iterable[tuple[int, str]]:
    """Number and text of the lines of a document; of a script those that document it."""
    return read_page(file).documentation if file.kind == "header" else enumerate(file.lines, start=1)


def _text(file: TextFile) -> str:
    return "\n".join(line for _, line in document_lines(file)) if file.kind == "header" else file.text
