"""POST /api/ask: an answer with its sources."""

from __future__ import annotations

from fastapi import APIRouter

from muniment.http.asked import AskBody
from muniment.http.examples import ASK, example
from muniment.http.replies import AskReply, marked_excerpts
from muniment.http.serving import Here, Serving
from muniment.opened import Inquiry
from muniment.shown import shown_as
from muniment.store.reader import Filter

router = APIRouter(tags=["ask"])


@router.post("/api/ask", summary="Answer a question", responses=example(AskReply, ASK))
async def ask(body: AskBody, here: Here) -> AskReply:
    """The answer and the lines that it stands on; or, under `reason`, why there is none, and what comes closest.

    Without a model the answer is made of sentences of the documents.
    """
    reply = await here.work_long(_ask, here, body)
    here.metrics.count_answer(reply.reason or "answered")
    return reply


def _ask(here: Serving, body: AskBody) -> AskReply:
    inquiry = Inquiry(
        body.question,
        body.max_docs,
        body.model,
        Filter(sources=tuple(body.source), namespaces=tuple(body.namespace)),
        tuple(body.path),
        body.today,
        body.as_of,
    )
    answered = here.index.ask(inquiry)
    return shown_as(
        AskReply,
        answered,
        citations=marked_excerpts(answered.citations, body.question),
        excerpts=marked_excerpts(answered.excerpts, body.question),
        disagreements=answered.disputes,
    )
