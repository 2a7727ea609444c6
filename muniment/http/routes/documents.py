"""/api/documents: what is indexed, in pages of one generation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query

from muniment.disputes import disputes_in
from muniment.errors import UsageError
from muniment.filters import checked_filter
from muniment.freshness import compare
from muniment.http.asked import DocumentsQuery
from muniment.http.cursor import LEASE_S, Cursor, read_cursor, still_kept, write_cursor
from muniment.http.problem import not_found
from muniment.http.replies import Document, DocumentPage, ShownDocument
from muniment.http.serving import Here, Serving
from muniment.shown import columns_of, shown_as
from muniment.store.kept import reopening
from muniment.store.reader import Filter
from schemas.shown import Chunk

if TYPE_CHECKING:
    from muniment.store.reader import Reader

router = APIRouter(tags=["documents"])


@router.get("/api/documents", summary="List documents")
@router.get("/api/vault-index/documents", summary="The same")
async def list_documents(asked: Annotated[DocumentsQuery, Query()], here: Here) -> DocumentPage:
    """A page of documents by source and path; `next_cursor` goes on in the same generation, whatever is published."""
    return await here.work(_page, here, asked)


@router.get("/api/documents/{doc_id}", summary="Open a document")
async def show_document(doc_id: Annotated[str, Path(max_length=100)], here: Here) -> ShownDocument:
    """The document with its chunks, as indexed, and whether its file has changed since."""
    return await here.work(_document, here, doc_id)


@reopening
def _page(here: Serving, asked: DocumentsQuery) -> DocumentPage:
    cursor = _cursor(asked)
    with (
        still_kept(cursor if cursor.generation else None),
        here.index.reader(cursor.generation or None) as reader,
    ):
        page = _rows(reader, cursor, asked.limit)
        if page.next_cursor:
            here.index.readers.lease(page.generation, LEASE_S)
        return page


def _cursor(asked: DocumentsQuery) -> Cursor:
    """Where the page begins; generation 0 means the published one."""
    if not asked.cursor:
        within = asked.within()
        return Cursor(0, 0, within.kinds, within.types, within.sources, tuple(asked.path), within.namespaces)
    if asked.within() != Filter() or asked.path:
        raise UsageError("a cursor keeps its filters", "leave out kind, type, namespace, source and path")
    return read_cursor(asked.cursor)


def _rows(reader: Reader, cursor: Cursor, limit: int) -> DocumentPage:
    within = Filter(cursor.kinds, cursor.types, (), cursor.sources, namespaces=cursor.namespaces)
    within = checked_filter(reader, within, cursor.paths)
    # All names, but only one page of all that is known of them.
    names = reader.rows("documents", ["doc_id", "source", "path"], within)
    ids = names.sort_by([("source", "ascending"), ("path", "ascending")])["doc_id"]
    chosen = [str(one) for one in ids.slice(cursor.start, limit).to_pylist()]
    rows = reader.rows("documents", columns_of(Document), Filter(doc_ids=tuple(chosen))).to_pylist()
    by_id = {row["doc_id"]: Document.of_row(row) for row in rows}
    end = cursor.start + len(chosen)
    number = reader.generation.number
    following = replace(cursor, generation=number, start=end)
    return DocumentPage(
        generation=number,
        documents=tuple(by_id[doc_id] for doc_id in chosen),
        total=len(ids),
        next_cursor=write_cursor(following) if chosen and end < len(ids) else "",
    )


@reopening
def _document(here: Serving, doc_id: str) -> ShownDocument:
    within = Filter(doc_ids=(doc_id,))
    with here.index.reader() as reader:
        rows = reader.rows("documents", columns_of(Document), within).to_pylist()
        if not rows:
            raise not_found("no such document", "GET /api/documents lists them; a search names their chunks")
        (row,) = rows
        chunks = reader.chunks(columns_of(Chunk), within).sort_by(
            [("line_start", "ascending"), ("line_end", "ascending")]
        )
        document = Document.of_row(row)
        return shown_as(
            ShownDocument,
            document,
            **compare(reader, [(document.source, document.path)]).of(document),
            generation=reader.generation.number,
            disputes=disputes_in(reader, document.source, document.path),
            chunks=tuple(Chunk(**chunk) for chunk in chunks.to_pylist()),
        )
