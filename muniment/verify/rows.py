"""The rows of a generation: hashes, keys and counts, each against what it is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from muniment.store import audit
from muniment.verify.found import Faults, Finding, Verified, place_of
from muniment.verify.vectors import Vectors
from schemas.damage import Extent
from schemas.generations import Generation, TableVersion
from tasks.chunk.terms import search_terms
from tasks.embed import embed_hash
from tasks.identify import doc_id, text_hash

_DOCUMENTS = (
    "doc_id",
    "source",
    "path",
    "kind",
    "type",
    "namespace",
    "content_id",
    "sha256",
    "size",
    "sensitivity",
    "secrets",
)
_KEY = ("doc_id", "source", "path")
_ASTRAY = "its key is not that of its source and path"
_COUNTED = ("chunk_count",)
_TEXTS = ("text", "text_hash", "context", "embed_hash", "terms")
_FILED = ("section", "title", "heading_path")
_PLACES = ("chunk_id", "doc_id", "source", "path", "sensitivity", "line_start", "line_end")


class Cut(NamedTuple):
    """What is known of a chunk once its row has been checked: enough to hold it against its file."""

    line_start: int
    line_end: int
    text_hash: str
    filed: int
    """Hash of section, title and heading path."""


@dataclass(slots=True)
class Held:
    """The documents of a generation with their chunks."""

    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By id."""
    cuts: dict[str, list[Cut]] = field(default_factory=dict)
    chunks: int = 0
    pending: int = 0
    waiting: dict[str, str] = field(default_factory=dict)
    """Id -> source of documents with a chunk that waits for its vector."""
    chunk_ids: set[str] = field(default_factory=set)


def filed_under(section: str, title: str, heading_path: str) -> int:
    """One number for where a chunk is filed."""
    return hash((section, title, heading_path))


def read_rows(index: Path, generation: Generation, found: Verified) -> Held:
    """Checks every row by itself and against its document; returns what the rows hold. Raises ForeignIndex."""
    held = Held()
    faults = {
        name: Faults("rows", table.name, found.extent, "" if name in ("documents", "chunks") else name)
        for name, table in generation.tables.items()
    }
    for row in audit.rows(index, generation.tables["documents"], (*_DOCUMENTS, *_COUNTED)):
        _check_key(row, held.documents, faults["documents"])
        held.documents[row["doc_id"]] = row
    _read_chunks(index, generation, held, faults["chunks"], found)
    for identity, row in held.documents.items():
        if row["chunk_count"] != len(held.cuts.get(identity, ())):
            faults["documents"].add("its chunks are not as many as it counts", _named(row), row)
    _check_skipped(index, generation.tables["skipped"], held, faults["skipped"])
    faults["lost"] = Faults("rows", generation.tables["claims"].name, found.extent)
    _check_claims(index, generation.tables["claims"], held, faults["claims"], faults["lost"])
    for one in faults.values():
        found.findings += one.findings()
    found.looked |= {"documents": len(held.documents), "chunks": held.chunks}
    return held


def _check_key(row: Mapping[str, Any], seen: Mapping[str, Any], faults: Faults) -> None:
    if row["doc_id"] != (own := doc_id(row["source"], row["path"])):
        faults.add(_ASTRAY, _named(row), row, own)
    if row["doc_id"] in seen:
        faults.add("stands twice", _named(row), row)


def _read_chunks(index: Path, generation: Generation, held: Held, faults: Faults, found: Verified) -> None:
    vectors = Vectors(index, generation, found)
    columns = [*_PLACES, *_FILED, *_TEXTS, *(["vector"] if generation.dimension else [])]
    for batch in audit.batches(index, generation.tables["chunks"], columns):
        for row in batch.drop_columns(["vector"] if generation.dimension else []).to_pylist():
            _check_chunk(row, held, faults)
        if generation.dimension:
            waiting = vectors.check(batch)
            held.pending += waiting.num_rows
            held.waiting |= {row["doc_id"]: row["source"] for row in waiting.select(["doc_id", "source"]).to_pylist()}
    vectors.close()


def _check_chunk(row: Mapping[str, Any], held: Held, faults: Faults) -> None:
    document = held.documents.get(row["doc_id"])
    place = _named(document or row, row["line_start"])
    held.chunks += 1
    for said in _wrong(row, document):
        faults.add(said, place, row)
    if row["chunk_id"] in held.chunk_ids:
        faults.add("stands twice", place, row)
    held.chunk_ids.add(row["chunk_id"])
    cut = Cut(row["line_start"], row["line_end"], row["text_hash"], filed_under(*(row[name] for name in _FILED)))
    held.cuts.setdefault(row["doc_id"], []).append(cut)


def _wrong(row: Mapping[str, Any], document: Mapping[str, Any] | None) -> Iterator[str]:
    if document is None:
        yield "its document is not there"
    elif any(row[name] != document[name] for name in ("source", "path", "sensitivity")):
        yield "it says another document than its own"
    if row["text_hash"] != text_hash(row["text"]):
        yield "its text is not the one that its hash names"
    if row["embed_hash"] != embed_hash(row["context"], row["text"]):
        yield "its text or context is not the one that was embedded"
    if row["terms"] != search_terms(row["path"], row["context"], row["text"]):
        yield "what full-text search reads is not its path, titles and text"


def _check_skipped(index: Path, table: TableVersion, held: Held, faults: Faults) -> None:
    for row in audit.rows(index, table, _KEY):
        if row["doc_id"] != doc_id(row["source"], row["path"]):
            faults.add(_ASTRAY, row["source"], row)
        elif row["doc_id"] in held.documents:
            faults.add("it is both skipped and indexed", row["source"], row)


def _check_claims(index: Path, table: TableVersion, held: Held, faults: Faults, lost: Faults) -> None:
    """Claims that are not what they were, and those whose document is `lost`: none is named, it may be withheld."""
    for row in audit.rows(index, table, _KEY):
        if row["doc_id"] != doc_id(row["source"], row["path"]):
            faults.add(_ASTRAY, row["source"], row)
        elif row["doc_id"] not in held.documents:
            lost.add("its document is not there", row["source"], row)


def count_rows(generation: Generation, held: Held, extent: Extent) -> Iterator[Finding]:
    """What the generation says of itself, against its rows; what does not fit goes into the extent."""
    rows = held.documents.values()
    by_source = Counter(row["source"] for row in rows)
    chunks: Counter[str] = Counter()
    for row in rows:
        chunks[row["source"]] += len(held.cuts.get(row["doc_id"], ()))
    for name, state in generation.sources.items():
        told = (state.documents + sum(state.withheld.values()), state.chunks + state.withheld_chunks)
        counted = (by_source.pop(name, 0), chunks[name])
        if told != counted:
            extent.sources.add(name)
            said = f"source {name} has {counted[0]} documents, {counted[1]} chunks; published were {told[0]}, {told[1]}"
            yield Finding("counts", generation.tables["documents"].name, said)
    for name, count in by_source.items():
        said = f"{count} documents are of a source that is not published: {name}"
        yield Finding("counts", generation.tables["documents"].name, said)
    # Without a dimension there is no column that could be null.
    if generation.dimension and generation.pending != held.pending:
        extent.documents.update(held.waiting)
        said = f"{held.pending} chunks wait for a vector; published were {generation.pending}"
        yield Finding("counts", generation.tables["chunks"].name, said)


def _named(row: Mapping[str, Any], line: int = 0) -> str:
    return place_of(row["source"], row["path"], row["sensitivity"], line)
