"""What of damaged tables can be relied on, source by source, and what of their files has to be cut again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from schemas.columns import DOCUMENTS, arrow_schema
from schemas.damage import Extent
from schemas.files import Source
from tasks.changes import Changes, Held, Known, Rows, known_files
from tasks.chunk.files import Chunked
from tasks.identify import doc_id

if TYPE_CHECKING:
    import pyarrow as pa

STAMPED = ("source", "path", "content_id", "commit", "indexed_at")
"""Columns of documents that `find_stamps` reads."""
TOLD_BY = ("doc_id", "chunk_id", "kind", "type", "sensitivity", "line_start", "line_end", "text_hash", "embed_hash")
"""Columns of chunks that `chunk_prints` reads."""

Stamps = Mapping[tuple[str, str, str], Mapping[str, Any]]
"""Source, path and content id -> commit and moment at which that content was indexed first: no file tells those."""


@dataclass(frozen=True, slots=True)
class Sound:
    """What is sound of one source."""

    known: Known
    """Documents of which row and chunks are as they were published, and files that hold nothing to index."""
    wanted: frozenset[str] | None
    """Ids of the documents to cut again; None where only the source can tell which those are."""
    whole: bool
    """Whether the table of documents is. A known document then stays as it is, whatever became of its file."""
    skips: bool
    """Whether all files that hold nothing are looked for again."""

    def narrowed(self, changes: Changes) -> Changes:
        """Of what the source holds, what has to be cut again."""
        name, wanted = changes.listed.source.name, self.wanted
        changed = (one for one in changes.changed if wanted is None or doc_id(name, one[0].path) in wanted)
        hollow = tuple(one for one in changes.skipped if one.content_id) if self.skips else ()
        return replace(changes, changed=tuple(changed), gone=(), forgotten=(), hollow=hollow)

    def standing(self, narrowed: Changes) -> set[str]:
        """Ids of the documents whose rows stay as they are."""
        name, cut = narrowed.listed.source.name, {entry.path for entry, _ in narrowed.changed}
        paths = self.known.documents.keys() if self.whole else set(narrowed.unchanged)
        return {doc_id(name, path) for path in paths - cut}


def find_sound(
    tables: Rows, sources: Sequence[Source], extent: Extent, cut_from: Mapping[str, Held] | None
) -> list[Sound]:
    """What the tables hold of each source that is outside of the extent.

    `cut_from` says, by a document's id, of which content the chunks are where they come from an earlier generation; it
    is None where they are those of the published one.
    """
    names = [source.name for source in sources]
    held = known_files(tables, sources, dict.fromkeys(names, True))
    known = [_outside(name, one, extent, cut_from) for name, one in zip(names, held, strict=True)]
    whole = "documents" not in extent.tables
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for row in tables.rows("documents" if whole else "chunks", ["source", "doc_id"]).to_pylist():
        ids[row["source"]].add(row["doc_id"])
    wanted = [_wanted(name, one, ids[name], extent) for name, one in zip(names, known, strict=True)]
    skips = "skipped" in extent.tables
    return [Sound(one, ids, whole, skips) for one, ids in zip(known, wanted, strict=True)]


def _outside(name: str, known: Known, extent: Extent, cut_from: Mapping[str, Held] | None) -> Known:
    def stands(path: str, held: Held) -> bool:
        key = doc_id(name, path)
        return key not in extent.documents and (cut_from is None or cut_from.get(key) == held)

    documents = {path: held for path, held in known.documents.items() if stands(path, held)}
    # Of a document, a row that says that there is nothing in it is the wrong one.
    skipped = {path: one for path, one in known.skipped.items() if path not in known.documents}
    return replace(known, documents=documents, skipped=skipped)


def _wanted(name: str, known: Known, ids: set[str], extent: Extent) -> frozenset[str] | None:
    if name in extent.sources or "skipped" in extent.tables or {"documents", "chunks"} <= extent.tables:
        return None
    sound = {doc_id(name, path) for path in known.documents} if "documents" not in extent.tables else set()
    return frozenset((ids | extent.documents.keys()) - sound)


def find_stamps(rows: Iterable[Mapping[str, Any]]) -> Stamps:
    """When each of these documents was indexed; of several with the same content the first counts."""
    stamps: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows:
        stamps.setdefault(content_of(row), {name: row[name] for name in ("commit", "indexed_at")})
    return stamps


def stamped(cut: Chunked, stamps: Stamps) -> Chunked:
    """What was cut, with documents that were indexed before as they were then."""
    import pyarrow as pa

    rows = [{**row, **stamps.get(content_of(row), {})} for row in cut.documents.to_pylist()]
    return replace(cut, documents=pa.Table.from_pylist(rows, arrow_schema(DOCUMENTS)))


def content_of(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """What a document's stamp is found by."""
    return row["source"], row["path"], row["content_id"]


def chunk_prints(chunks: pa.Table) -> dict[str, int]:
    """A number for each document that is the same where its chunks are, whatever their order."""
    prints: defaultdict[str, int] = defaultdict(int)
    for key, *told in zip(*(chunks[name].to_pylist() for name in TOLD_BY), strict=True):
        prints[key] += hash(tuple(told))
    return dict(prints)
