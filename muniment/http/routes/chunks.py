"""/api/chunks: one chunk, as a hit or a citation names it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from muniment.http.problem import not_found
from muniment.http.serving import Here, Serving
from muniment.shown import show_chunk
from muniment.store.kept import reopening
from schemas.shown import ReadChunk

router = APIRouter(tags=["documents"])

Neighbours = Annotated[int, Query(ge=0, le=10)]


@router.get("/api/chunks/{chunk_id}", summary="Open a chunk")
async def read_chunk(
    chunk_id: Annotated[str, Path(max_length=100)], here: Here, before: Neighbours = 0, after: Neighbours = 0
) -> ReadChunk:
    """The chunk, whether its file has changed since, and what is contradicted in its lines.

    With so many of those `before` and `after` it in its document.
    """
    return await here.work(_chunk, here, chunk_id, before, after)


@reopening
def _chunk(here: Serving, chunk_id: str, before: int, after: int) -> ReadChunk:
    with here.index.reader() as reader:
        found = show_chunk(reader, chunk_id, before, after)
    if found is None:
        raise not_found("no such chunk in the published generation", "search again: it may have changed")
    return found
