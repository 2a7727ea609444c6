"""The chunk step: from the files of a source to rows of documents and chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, time
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from muniment.embedders import Embedder
from schemas.chunks import Document, Piece
from schemas.columns import CHUNKS, DOCUMENTS, arrow_schema
from schemas.files import Skipped
from schemas.versions import CHUNKER
from tasks.changes import Changes, Known
from tasks.chunk import document_title, split
from tasks.chunk.cap import cap
from tasks.chunk.reading import read_documents
from tasks.chunk.terms import search_terms
from tasks.embed import CONTEXT_CHARS, context_line, embed_hash, embedded_text
from tasks.identify import chunk_id, doc_id, text_hash

if TYPE_CHECKING:
    import pyarrow as pa

MAX_TOKENS = 1_500


@dataclass(frozen=True, slots=True)
class Chunked:
    """What the changed files of one source became; every one of them is in exactly one of the three lists."""

    documents: pa.Table
    chunks: pa.Table
    skipped: tuple[Skipped, ...]
    unchanged: tuple[str, ...]
    """Paths whose bytes turned out to be the ones already indexed."""
    doubts: tuple[str, ...] = ()
    """What is stated of documents and can't be understood."""


def chunker_name(embedder: Embedder) -> str:
    """Names everything that decides where a file is cut; part of the table's fingerprint."""
    return f"{CHUNKER}/{token_budget(embedder)}"


def token_budget(embedder: Embedder) -> int:
    """The most tokens of a chunk: our cap, or the model's window where that is smaller."""
    return min(MAX_TOKENS, embedder.max_tokens or MAX_TOKENS)


def chunk_sources(changes: Sequence[Changes], known: Sequence[Known], embedder: Embedder) -> list[Chunked]:
    """Documents and chunks (without vectors) of each source's changed files, as tables of `schemas.columns`."""
    at = datetime.now(UTC)
    return [_chunk(*pair, embedder, at) for pair in zip(changes, known, strict=True)]


def _chunk(changes: Changes, known: Known, embedder: Embedder, at: datetime) -> Chunked:
    import pyarrow as pa

    documents: list[dict[str, Any]] = []
    chunks: list[dict[str, Any]] = []
    skipped: list[Skipped] = []
    unchanged: list[str] = []
    doubts: list[str] = []
    stamp = {"commit": changes.listed.listing.commit or None, "indexed_at": at}
    for found in read_documents(changes, known):
        if isinstance(found, Skipped):
            skipped.append(found)
        elif isinstance(found, str):
            unchanged.append(found)
        elif pieces := split(found):
            doubts += found.stated.faults
            title = found.stated.title or document_title(found, pieces)
            rows = _chunk_rows(found, title, pieces, embedder)
            chunks += rows
            documents.append(_document_row(found, title, len(rows)) | stamp)
        else:
            skipped.append(Skipped(found.path, "no documentation", content_id=found.content_id))
    return Chunked(
        pa.Table.from_pylist(documents, arrow_schema(DOCUMENTS)),
        pa.Table.from_pylist(chunks, arrow_schema(CHUNKS)),
        tuple(skipped),
        tuple(unchanged),
        tuple(doubts),
    )


def _chunk_rows(document: Document, title: str, pieces: list[Piece], embedder: Embedder) -> list[dict[str, Any]]:
    # The context line is embedded with every part, so the parts get what it leaves over.
    room = token_budget(embedder) - CONTEXT_CHARS // 4
    pieces = cap(pieces, room, embedder.count_tokens)
    contexts = [context_line(title, piece.heading_path) for piece in pieces]
    tokens = embedder.count_tokens(
        [embedded_text(*pair) for pair in zip(contexts, (p.text for p in pieces), strict=True)]
    )
    ordinals: dict[tuple[str, ...], int] = {}
    rows = []
    for piece, context, count in zip(pieces, contexts, tokens, strict=True):
        ordinal = ordinals[piece.heading_path] = ordinals.get(piece.heading_path, -1) + 1
        rows.append(_chunk_row(document, piece, context, count, ordinal))
    return rows


def _chunk_row(document: Document, piece: Piece, context: str, tokens: int, ordinal: int) -> dict[str, Any]:
    return {
        "chunk_id": chunk_id(document.source, document.path, piece.heading_path, ordinal),
        "doc_id": doc_id(document.source, document.path),
        "source": document.source,
        "path": document.path,
        "kind": document.kind,
        "type": document.type,
        "sensitivity": document.stated.sensitivity,
        "section": piece.section,
        "title": piece.title,
        "heading_path": " > ".join(piece.heading_path),
        "ordinal": ordinal,
        "line_start": piece.line_start,
        "line_end": piece.line_end,
        "text": piece.text,
        "text_hash": text_hash(piece.text),
        "context": context,
        "embed_hash": embed_hash(context, piece.text),
        "terms": search_terms(document.path, context, piece.text),
        "tokens": tokens,
    }


def _document_row(document: Document, title: str, chunk_count: int) -> dict[str, Any]:
    stated = document.stated
    day = datetime.combine(stated.doc_date, time(), UTC) if stated.doc_date else None
    return {key: value for key, value in asdict(document).items() if key not in ("text", "stated")} | {
        "doc_id": doc_id(document.source, document.path),
        "title": title or PurePosixPath(document.path).name,
        "namespace": document.namespace or None,
        "doc_date": day,
        "correspondent": stated.correspondent or None,
        "tags": ", ".join(stated.tags) or None,
        "sensitivity": stated.sensitivity,
        "chunk_count": chunk_count,
    }
