"""The classify step: which listed files are documentation, of what kind, and which of them may have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from muniment.errors import Shrunk
from muniment.patterns import admits
from schemas.files import Entry, Skipped, Source
from tasks.classify import Unsure, kind_from_content, kind_of
from tasks.enumerate.listing import Listed

if TYPE_CHECKING:
    import pyarrow as pa


class Rows(Protocol):
    """Whatever the rows of the published tables can be read from."""

    def rows(self, table: str, columns: Sequence[str]) -> pa.Table:
        """These columns of every row of the table."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """What the index holds of a source now."""

    documents: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)
    """Path -> content id, kind and size."""
    skipped: Mapping[str, Skipped] = field(default_factory=dict)
    """Files that were read before and hold nothing to index; empty when settings have changed since."""
    settled: bool = False
    """Whether the settings are those that the index was made with."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Every listed file once: to be chunked, unchanged, or skipped; and what is gone."""

    listed: Listed
    changed: tuple[tuple[Entry, str], ...]
    unchanged: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    hollow: tuple[Skipped, ...]
    """Those of the skipped that had to be read now to be told apart."""
    gone: tuple[str, ...]
    """Paths of indexed documents that the source no longer holds as documentation."""
    forgotten: tuple[str, ...]
    """Paths remembered as skipped that are no longer so."""
    replacing: frozenset[str]
    """Those paths of `changed` that are in the index now, with other content."""


def known_files(tables: Rows, sources: Sequence[Source], settled: Mapping[str, bool]) -> list[Known]:
    """What the tables hold of each of the sources."""
    documents: dict[str, dict[str, tuple[str, str, int]]] = {}
    for row in tables.rows("documents", ["source", "path", "content_id", "kind", "size"]).to_pylist():
        documents.setdefault(row["source"], {})[row["path"]] = (row["content_id"], row["kind"], row["size"])
    skipped: dict[str, dict[str, Skipped]] = {}
    for row in tables.rows("skipped", ["source", "path", "reason", "detail", "content_id"]).to_pylist():
        own = skipped.setdefault(row.pop("source"), {})
        own[row["path"]] = Skipped(**row)
    return [
        Known(
            documents.get(source.name, {}),
            skipped.get(source.name, {}) if settled.get(source.name) else {},
            settled.get(source.name, False),
        )
        for source in sources
    ]


def classify_sources(listed: Sequence[Listed], known: Sequence[Known]) -> list[Changes]:
    """The files of each source by what has to be done with them.

    A file counts as unchanged when content id and kind are the ones indexed. Only files whose kind the path leaves
    open, and that are not known, are read.
    """
    return [_classify(*pair) for pair in zip(listed, known, strict=True)]


def _classify(listed: Listed, known: Known) -> Changes:
    sorting = _Sorting(listed, known)
    sorting.by_path()
    sorting.by_content()
    changed = tuple((entry, kind) for entry, kind in sorting.classified if not sorting.indexed_as(entry, kind))
    held = {entry.path for entry, _ in sorting.classified}
    remembered = {skipped.path for skipped in sorting.skipped if skipped.content_id}
    return Changes(
        listed=listed,
        changed=changed,
        unchanged=tuple(sorted(held - {entry.path for entry, _ in changed})),
        skipped=tuple(sorting.skipped),
        hollow=tuple(sorting.hollow),
        gone=tuple(sorted(known.documents.keys() - held)),
        forgotten=tuple(sorted(known.skipped.keys() - remembered)),
        replacing=frozenset(entry.path for entry, _ in changed if entry.path in known.documents),
    )


def refuse_shrinkage(changes: Sequence[Changes], known: Sequence[Known]) -> None:
    """Raises Shrunk when a source has less than half of its documents left: a missing mount looks like this too.

    New settings may shrink a source as far as they like: that was the operator's own doing.
    """
    for change, before in zip(changes, known, strict=True):
        left, held = len(change.changed) + len(change.unchanged), len(before.documents)
        if before.settled and left * 2 < held:
            raise Shrunk(
                f"source '{change.listed.source.name}' has {left} documents left of {held}",
                "if that is right, run again with --allow-shrink; the index is unchanged",
            )


class _Sorting:
    """The files of one source on their way to exactly one heap."""

    def __init__(self, listed: Listed, known: Known) -> None:
        self.listed = listed
        self.known = known
        self.skipped = list(listed.listing.skipped)
        self.hollow: list[Skipped] = []
        self.classified: list[tuple[Entry, str]] = []
        self.unsure: list[Entry] = []

    def indexed_as(self, entry: Entry, kind: str) -> bool:
        content_id, indexed_kind, size = self.known.documents.get(entry.path, ("", "", 0))
        # The cap may have been lowered since.
        return (content_id, indexed_kind) == (entry.content_id, kind) and size <= self.listed.source.max_bytes

    def by_path(self) -> None:
        source, narrowing = self.listed.source, self.listed.narrowing
        admitted = admits(source.include, source.exclude)
        admitted_here = admits(narrowing.include, narrowing.exclude)
        for entry in self.listed.listing.entries:
            if not (admitted(entry.path) and admitted_here(entry.path)):
                self.skipped.append(Skipped(entry.path, "excluded"))
            else:
                self._sort(entry)

    def _sort(self, entry: Entry) -> None:
        kind = kind_of(entry.path)
        hollow = self.known.skipped.get(entry.path)
        indexed_id, indexed_kind, _ = self.known.documents.get(entry.path, ("", "", 0))
        if isinstance(kind, Skipped):
            self.skipped.append(kind)
        elif hollow and entry.content_id and hollow.content_id == entry.content_id:
            self.skipped.append(hollow)
        elif not isinstance(kind, Unsure):
            self.classified.append((entry, kind))
        elif entry.content_id and indexed_id == entry.content_id:
            self.classified.append((entry, indexed_kind))
        else:
            self.unsure.append(entry)

    def by_content(self) -> None:
        for read in self.listed.files.read_files(self.unsure):
            if isinstance(read, Skipped):
                self.hollow.append(read)
                continue
            entry, raw = read
            kind = kind_from_content(entry.path, raw)
            if isinstance(kind, Skipped):
                self.hollow.append(Skipped(entry.path, kind.reason, kind.detail, entry.content_id))
            else:
                self.classified.append((entry, kind))
        self.skipped += self.hollow
