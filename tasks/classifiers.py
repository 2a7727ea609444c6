"""What sorts the files of each kind of source into documents and all else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from schemas.files import Label, Skipped, Source
from tasks.classify import Unsure, kind_from_content, kind_of
from tasks.notes import Notes
from tasks.papers import Papers


class Classifier(Protocol):
    """Says of a file what it is."""

    def by_path(self, path: str) -> Label | Skipped | Unsure:
        """What a file is by its path, why it is no document, or that its content has to be read."""
        ...

    def by_content(self, path: str, raw: bytes) -> Label | Skipped:
        """What a file is that its path leaves open."""
        ...


class Documentation:
    """Sorts the files of a repository."""

    def by_path(self, path: str) -> Label | Skipped | Unsure:
        """The kind by the table of rules."""
        kind = kind_of(path)
        return Label(kind, kind) if isinstance(kind, str) else kind

    def by_content(self, path: str, raw: bytes) -> Label | Skipped:
        """The kind by how the file begins."""
        kind = kind_from_content(path, raw)
        return Label(kind, kind) if isinstance(kind, str) else kind


CLASSIFIERS: Mapping[str, Callable[[Source], Classifier]] = {
    "git": lambda _source: Documentation(),
    "vault": lambda source: Notes(source.notes),
    "archive": lambda _source: Papers(),
}
"""Kind of source -> what sorts its files."""
