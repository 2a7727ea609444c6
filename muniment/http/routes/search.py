"""GET /api/search: passages, each with its file and lines."""

from __future__ import annotations

import hashlib
from time import monotonic
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import TypeAdapter

from muniment.http.asked import SearchQuery
from muniment.http.examples import SEARCH, example
from muniment.http.replies import SearchReply, marked_hit
from muniment.http.serving import Here, Serving
from muniment.search import Question
from muniment.shown import shown_as
from schemas.answers import Results

router = APIRouter(tags=["search"])
_RESULTS = TypeAdapter(Results)


@router.get(
    "/api/search",
    summary="Find passages",
    responses=example(SearchReply, SEARCH) | {304: {"description": "The results are the same"}},
)
async def search(
    asked: Annotated[SearchQuery, Query()], request: Request, response: Response, here: Here
) -> SearchReply:
    """The best hits, best first, from one generation. None is no error.

    The ETag is that of the results: of generation, query and settings, and of whether the files have changed since.
    """
    found = await here.work(_search, here, asked, request.headers.get("if-none-match", ""))
    tag, reply = found
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if reply is None:
        return Response(status_code=304, headers=headers)  # type: ignore[return-value]  # FastAPI sends it as it is
    response.headers.update(headers)
    return reply


def _search(here: Serving, asked: SearchQuery, known: str) -> tuple[str, SearchReply | None]:
    """The tag and the reply; no reply, and nothing logged, where the client has it."""
    began = monotonic()
    question = Question(
        asked.q, asked.limit, asked.mode, asked.within(tuple(asked.section)), tuple(asked.path), asked.min_relevance
    )
    results = here.index.find(question, asked.as_of)
    content = _RESULTS.dump_json(results) + (b"marks" if asked.marks else b"")
    # Weak: the id of the assembly and the time that it took differ.
    tag = f'W/"{results.generation}-{hashlib.sha256(content).hexdigest()[:32]}"'
    if tag in (part.strip() for part in known.split(",")):
        return tag, None
    searched = here.index.log_search(results, (monotonic() - began) * 1000)
    hits = tuple(marked_hit(hit, asked.q, marks=asked.marks) for hit in searched.hits)
    return tag, shown_as(SearchReply, searched, hits=hits)
