"""What a supervisor asks: is it alive, can it answer, and what are its numbers."""

from __future__ import annotations

import contextlib

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from muniment.errors import MunimentError, NoIndex, ProviderError
from muniment.http.problem import Problem, ProblemError
from muniment.http.replies import Alive
from muniment.http.serving import Here, Serving
from schemas.generations import Generation

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="Is it alive")
async def alive() -> Alive:
    """That the process answers."""
    return Alive("ok")


@router.get("/readyz", summary="Can it answer")
async def ready(here: Here) -> Alive:
    """That there is a generation, and that it can be opened; 503 otherwise, without saying where it should be."""
    await here.work(_open, here)
    return Alive("ok")


@router.get("/metrics", summary="Numbers for Prometheus", response_class=PlainTextResponse)
async def metrics(here: Here) -> Response:
    """Requests, times, answers by outcome, and the state of the index."""
    return Response(here.metrics.exposition(await here.work(_published, here)), media_type=CONTENT_TYPE_LATEST)


def _published(here: Serving) -> Generation | None:
    # A bucket that does not answer is told of by /readyz; the numbers of this process are wanted then more than ever.
    with contextlib.suppress(NoIndex, ProviderError):
        return here.index.generations.current()
    return None


def _open(here: Serving) -> None:
    try:
        here.index.try_opening()
    except MunimentError as error:
        kind = type(error).__name__
        problem = Problem(503, kind, "there is no index that can be opened", "run 'muniment doctor'", transient=True)
        raise ProblemError(problem) from error
