"""GET /api/search: passages, each with its file and lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import TypeAdapter

from muniment.errors import UsageError
from muniment.http.asked import SearchQuery
from muniment.http.conditional import has_already
from muniment.http.cursor import LEASE_S, Cursor, read_cursor, still_kept, write_cursor
from muniment.http.examples import SEARCH, example
from muniment.http.replies import SearchReply, marked_hit
from muniment.http.serving import Here, Serving
from muniment.search import Question
from muniment.shown import shown_as
from muniment.store.kept import reopening
from schemas.answers import Results

router = APIRouter(tags=["search"])
MOST_HITS = 200
"""As deep as pages go: the search itself reads no deeper."""
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
    `next_cursor`, sent with the same question, goes on in the same generation.
    """
    found = await here.work(_search, here, asked, partial(has_already, request))
    tag, reply = found
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if reply is None:
        return Response(status_code=304, headers=headers)  # type: ignore[return-value]  # FastAPI sends it as it is
    response.headers.update(headers)
    return reply


def _search(here: Serving, asked: SearchQuery, had: Callable[[str], bool]) -> tuple[str, SearchReply | None]:
    """The tag and the reply; no reply, and nothing logged, where the client has it."""
    began = monotonic()
    cursor = _cursor(asked) if asked.cursor else None
    start = cursor.start if cursor else 0
    results, more = _page(here, asked, cursor, start)
    content = _RESULTS.dump_json(results) + (b"marks" if asked.marks else b"") + (b"more" if more else b"")
    # Weak: the id of the assembly and the time that it took differ.
    tag = f'W/"{results.generation}-{hashlib.sha256(content).hexdigest()[:32]}"'
    if had(tag):
        return tag, None
    searched = here.index.log_search(results, (monotonic() - began) * 1000, first=start + 1)
    hits = tuple(marked_hit(hit, asked.q, marks=asked.marks) for hit in searched.hits)
    following = Cursor(results.generation, start + len(hits), asked=_digest(asked))
    return tag, shown_as(SearchReply, searched, hits=hits, next_cursor=write_cursor(following) if more else "")


@reopening
def _page(here: Serving, asked: SearchQuery, cursor: Cursor | None, start: int) -> tuple[Results, bool]:
    """The hits of the page, and whether more of them follow: their generation is held a while then."""
    end = start + asked.limit
    question = Question(
        asked.q, end + 1, asked.mode, asked.within(tuple(asked.section)), tuple(asked.path), asked.min_relevance
    )
    with still_kept(cursor), here.index.reader(cursor.generation if cursor else asked.as_of) as reader:
        results = here.index.find(question, reader.generation.number)
        more = len(results.hits) > end and end < MOST_HITS
        if more:
            here.index.readers.lease(results.generation, LEASE_S)
    return replace(results, hits=results.hits[start:end]), more


def _cursor(asked: SearchQuery) -> Cursor:
    cursor = read_cursor(asked.cursor)
    if cursor.asked != _digest(asked) or cursor.start > MOST_HITS:
        raise UsageError("the cursor is of another question", "send the same question and filters, or no cursor")
    return cursor


def _digest(asked: SearchQuery) -> str:
    same = asked.model_dump_json(exclude={"limit", "cursor", "marks", "as_of"})
    return hashlib.sha256(same.encode()).hexdigest()[:16]
