"""The write-again step: documents that were cut again go into the tables in place of what was damaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from schemas.damage import Extent
from tasks.changes import Changes
from tasks.chunk.files import Chunked
from tasks.identify import doc_id
from tasks.sound import Sound, Stamps, chunk_prints, content_of, stamped
from tasks.upsert import upsert_changes

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.store.writer import Writer


@dataclass(slots=True)
class Again:
    """What is gone by when documents are written again, and what was written so far."""

    extent: Extent
    sound: Sequence[Sound]
    """Of each source that is gone through."""
    stamps: Stamps
    contents: Mapping[str, str]
    """Id -> content id of the documents whose own row stays, unless they turn out to be others."""
    prints: Mapping[str, int]
    """Of the documents whose chunks stay likewise."""
    stand: set[str] = field(default_factory=set)
    """Ids of the documents of these sources that the new generation has."""
    hollow: set[str] = field(default_factory=set)
    """Ids of the files of these sources that hold nothing to index."""
    moved: set[str] = field(default_factory=set)
    """Names of the sources of which a document was never indexed with the content that it has now."""
    hashes: set[str] = field(default_factory=set)
    """Of the texts written."""
    documents: int = 0
    from_cache: int = 0


def write_again(writer: Writer, again: Again, part: Sequence[Changes], chunked: Sequence[Chunked]) -> None:
    """Puts what was cut in place of what the tables have of these documents; rows that are the same stay."""
    chunked = [stamped(cut, again.stamps) for cut in chunked]
    written = [_unlike(again, cut) for cut in chunked]
    for table in ("documents", "chunks"):
        ids = (getattr(cut, table)["doc_id"].to_pylist() for cut in written)
        writer.drop(table, set().union(*ids))
    # What is replaced is gone already: a merge would leave what stands twice as it is.
    done = upsert_changes(writer, [replace(change, changed=()) for change in part], written)
    for change, cut in zip(part, chunked, strict=True):
        _book(again, change, cut)
    for cut in written:
        hashes: list[Any] = cut.chunks["embed_hash"].to_pylist()
        again.hashes.update(hashes)
    again.from_cache += done.from_cache


def _book(again: Again, change: Changes, cut: Chunked) -> None:
    source, documents = change.listed.source, cut.documents.to_pylist()
    again.documents += len(documents)
    again.stand.update(row["doc_id"] for row in documents)
    again.stand.update(doc_id(source.name, path) for path in cut.unchanged)
    again.hollow.update(doc_id(source.name, one.path) for one in (*change.hollow, *cut.skipped) if one.content_id)
    if not source.commit and any(content_of(row) not in again.stamps for row in documents):
        again.moved.add(source.name)


def _unlike(again: Again, cut: Chunked) -> Chunked:
    """Without the rows that stand in their table as they are."""
    contents = dict(zip(*(cut.documents[name].to_pylist() for name in ("doc_id", "content_id")), strict=True))
    documents = {key for key, content in contents.items() if again.contents.get(key) == content}
    chunks = {key for key, told in chunk_prints(cut.chunks).items() if again.prints.get(key) == told}
    return replace(cut, documents=_without(cut.documents, documents), chunks=_without(cut.chunks, chunks))


def _without(rows: pa.Table, ids: Set[str]) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    return rows.filter(pc.invert(pc.is_in(rows["doc_id"], value_set=pa.array(sorted(ids), pa.string()))))


def drop_stale(writer: Writer, again: Again, affected: Set[str], published: Set[str]) -> None:
    """Removes the rows that belong to no document of the sources gone through, or to no published source at all."""
    for table, kept in (("documents", again.stand), ("chunks", again.stand), ("skipped", again.hollow)):
        if table == "skipped" and table not in again.extent.tables:
            continue
        rows = writer.rows(table, ["doc_id", "source"]).group_by(["doc_id", "source"]).aggregate([]).to_pylist()
        lost = (row["source"] in affected or row["source"] not in published for row in rows)
        writer.drop(table, {row["doc_id"] for row, own in zip(rows, lost, strict=True) if own} - kept)
