"""/api/chunks: one chunk, as a hit or a citation names it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from muniment.disputes import disputes_of
from muniment.freshness import compare
from muniment.http.problem import not_found
from muniment.http.replies import Chunk, ShownChunk, columns_of
from muniment.http.serving import Here, Serving

router = APIRouter(tags=["documents"])


@router.get("/api/chunks/{chunk_id}", summary="Open a chunk")
async def show_chunk(chunk_id: Annotated[str, Path(max_length=100)], here: Here) -> ShownChunk:
    """The chunk, whether its file has changed since, and what is contradicted in its lines."""
    return await here.work(_chunk, here, chunk_id)


def _chunk(here: Serving, chunk_id: str) -> ShownChunk:
    with here.index.reader() as reader:
        rows = reader.chunks_by_id([chunk_id], columns_of(Chunk)).to_pylist()
        if not rows:
            raise not_found("no such chunk in the published generation", "search again: it may have changed")
        (row,) = rows
        chunk = Chunk(**row)
        fresh = compare(reader, [(chunk.source, chunk.path)])
        return ShownChunk(
            **row, **fresh.of(chunk), generation=reader.generation.number, disputes=disputes_of(reader, chunk)
        )
