"""The classify step: which listed files are documentation, of what kind, and which of them may have changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from muniment.errors import Shrunk
from muniment.patterns import admits
from schemas.files import Entry, Label, Skipped, Source
from schemas.generations import SourceState
from tasks.classifiers import CLASSIFIERS
from tasks.classify import Unsure
from tasks.enumerate.listing import Listed

if TYPE_CHECKING:
    import pyarrow as pa


SLICE_FILES = 2_000
SLICE_BYTES = 16 << 20
"""A file whose size only reading tells counts as none; the cap on a file bounds those."""


class Rows(Protocol):
    """Whatever the rows of the published tables can be read from."""

    def rows(self, table: str, columns: Sequence[str]) -> pa.Table:
        """These columns of every row of the table."""
        ...


class Held(NamedTuple):
    """A document of the index."""

    content_id: str
    label: Label
    size: int
    secrets: str | None = ""
    """As the column of documents says it."""

    def holds(self, content_id: str, label: Label, source: Source) -> bool:
        """Whether it is of these bytes, under this label, and was looked at for keys as the source wants it."""
        as_wanted = self.secrets is not None if source.withhold_secrets else not self.secrets
        return (self.content_id, self.label) == (content_id, label) and as_wanted


HELD = ("content_id", "kind", "type", "namespace", "size", "secrets")
NOTHING_HELD = Held("", Label("", ""), 0)


@dataclass(frozen=True, slots=True)
class Known:
    """What the index holds of a source now."""

    documents: Mapping[str, Held] = field(default_factory=dict)
    """By path."""
    skipped: Mapping[str, Skipped] = field(default_factory=dict)
    """Files that were read before and hold nothing to index; empty when settings have changed since."""
    settled: bool = False
    """Whether the settings are those that the index was made with."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Every listed file once: to be chunked, unchanged, or skipped; and what is gone."""

    listed: Listed
    changed: tuple[tuple[Entry, Label], ...]
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
    broken: tuple[str, ...] = ()
    """Notes read now whose front matter can't be understood."""


def known_files(tables: Rows, sources: Sequence[Source], settled: Mapping[str, bool]) -> list[Known]:
    """What the tables hold of each of the sources."""
    documents: dict[str, dict[str, Held]] = {}
    for row in tables.rows("documents", ["source", "path", *HELD]).to_pylist():
        documents.setdefault(row["source"], {})[row["path"]] = held_in(row)
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


def held_in(row: Mapping[str, Any]) -> Held:
    """The document of a row with the columns of `HELD`."""
    label = Label(row["kind"], row["type"], row["namespace"] or "")
    return Held(row["content_id"], label, row["size"], row["secrets"])


def classify_sources(listed: Sequence[Listed], known: Sequence[Known]) -> list[Changes]:
    """The files of each source by what has to be done with them.

    A file counts as unchanged when content id and label are the ones indexed. Only files whose label the path leaves
    open, and that are not known under the settings of now, are read.
    """
    return [_classify(*pair) for pair in zip(listed, known, strict=True)]


def _classify(listed: Listed, known: Known) -> Changes:
    sorting = _Sorting(listed, known)
    sorting.by_path()
    sorting.by_content()
    changed = tuple((entry, label) for entry, label in sorting.classified if not sorting.indexed_as(entry, label))
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
        broken=tuple(entry.path for entry, label in sorting.classified if label.broken),
    )


def cut_slices(changes: Sequence[Changes], files: int = SLICE_FILES) -> Iterator[list[Changes]]:
    """The changes of all sources in parts that are read, cut and written at a time, so that memory stays bounded.

    Each changed file is in one part, of at most so many files and `SLICE_BYTES`. What needs no file is in the first,
    which there always is.
    """
    part: list[list[tuple[Entry, Label]]] = [[] for _ in changes]
    held = size = 0
    whole = list(changes)
    for place, change in enumerate(changes):
        for one in change.changed:
            if held == files or (held and size + one[0].size > SLICE_BYTES):
                yield _part(whole, part)
                whole = [replace(each, gone=(), forgotten=(), hollow=()) for each in changes]
                part, held, size = [[] for _ in changes], 0, 0
            part[place].append(one)
            held, size = held + 1, size + max(one[0].size, 0)
    yield _part(whole, part)


def _part(changes: Sequence[Changes], part: Sequence[Sequence[tuple[Entry, Label]]]) -> list[Changes]:
    return [replace(change, changed=tuple(own)) for change, own in zip(changes, part, strict=True)]


def refuse_shrinkage(
    changes: Sequence[Changes], published: Mapping[str, SourceState], inputs: Mapping[str, str]
) -> None:
    """Raises Shrunk when a source has less than half of its published documents left: a missing mount looks like that.

    New settings, told by their digest in `inputs`, may shrink a source as far as they like, for that was the operator's
    own doing; but they do not empty the source's folder. A new release shrinks nothing.
    """
    for change in changes:
        name, listing = change.listed.source.name, change.listed.listing
        if (state := published.get(name)) is None:
            continue
        left, held = len(change.changed) + len(change.unchanged), state.documents + sum(state.withheld.values())
        settled = _same_settings(state.inputs, inputs.get(name, ""))
        nothing = not (listing.entries or listing.skipped)
        if (settled or nothing) and left * 2 < held:
            raise Shrunk(
                f"source '{name}' has {left} documents left of {held}",
                "if that is right, run again with --allow-shrink; the index is unchanged",
            )


def _same_settings(before: str, now: str) -> bool:
    """Whether two digests are of the same settings; so it is taken where an older release did not part them."""
    kept, parted, _ = before.partition(".")
    return before == now or (bool(before) and (not parted or kept == now.partition(".")[0]))


class _Sorting:
    """The files of one source on their way to exactly one heap."""

    def __init__(self, listed: Listed, known: Known) -> None:
        self.listed = listed
        self.known = known
        self.skipped = list(listed.listing.skipped)
        self.hollow: list[Skipped] = []
        self.classifier = CLASSIFIERS[listed.source.kind](listed.source)
        self.classified: list[tuple[Entry, Label]] = []
        self.unsure: list[Entry] = []

    def indexed_as(self, entry: Entry, label: Label) -> bool:
        held = self.known.documents.get(entry.path, NOTHING_HELD)
        # The cap may have been lowered since.
        source = self.listed.source
        return held.holds(entry.content_id, label, source) and held.size <= source.max_bytes

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
        label = self.classifier.by_path(entry.path)
        sensitivity = entry.stated.sensitivity
        hollow = self.known.skipped.get(entry.path)
        held = self.known.documents.get(entry.path, NOTHING_HELD)
        if isinstance(label, Skipped):
            self.skipped.append(replace(label, sensitivity=sensitivity))
        elif hollow and entry.content_id and hollow.content_id == entry.content_id and self._is_hollow_still(hollow):
            self.skipped.append(replace(hollow, sensitivity=sensitivity))
        elif not isinstance(label, Unsure):
            self.classified.append((entry, label))
        elif self.known.settled and entry.content_id and held.content_id == entry.content_id:
            self.classified.append((entry, held.label))
        else:
            self.unsure.append(entry)

    def _is_hollow_still(self, hollow: Skipped) -> bool:
        # What a repository says of its keys may change without its settings, and without the file.
        return self.listed.source.withhold_secrets or hollow.reason != "secret"

    def by_content(self) -> None:
        for read in self.listed.files.read_files(self.unsure):
            if isinstance(read, Skipped):
                self.hollow.append(read)
                continue
            entry, raw = read
            label = self.classifier.by_content(entry.path, raw)
            if isinstance(label, Skipped):
                self.hollow.append(Skipped(entry.path, label.reason, label.detail, entry.content_id))
            else:
                self.classified.append((entry, label))
        self.skipped += self.hollow
