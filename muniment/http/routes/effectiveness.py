"""/api/effectiveness: how much of what was gathered was used."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query

from flows.evaluate import evaluate
from muniment.assembly import LOG
from muniment.errors import Busy
from muniment.http.asked import EffectivenessQuery, WindowQuery
from muniment.http.problem import under_way
from muniment.http.replies import Evaluated
from muniment.http.serving import Here, Serving
from muniment.runner import Direct
from muniment.shown import shown_as
from schemas.effectiveness import EffectivenessReport
from tasks.effectiveness.evaluate import evaluate_effectiveness

router = APIRouter(tags=["effectiveness"])


@router.get("/api/effectiveness", summary="How much was used")
@router.get("/api/vault-index/type-effectiveness", summary="The same")
async def effectiveness(asked: Annotated[EffectivenessQuery, Query()], here: Here) -> EffectivenessReport:
    """The figures of the window that ends now, from the log; nothing is kept of them."""
    return await here.work(_look, here, asked)


@router.post("/api/effectiveness/eval", summary="Evaluate what was used")
@router.post("/api/vault-index/type-effectiveness/eval", summary="The same")
async def evaluate_now(here: Here, body: WindowQuery | None = None) -> Evaluated:
    """The same figures, published as part of the index, where ranking.effectiveness_prior finds them.

    409 while an index run is under way.
    """
    return await here.work(_evaluate, here, body or WindowQuery())


def _look(here: Serving, asked: EffectivenessQuery) -> EffectivenessReport:
    report = evaluate_effectiveness(here.home / LOG, datetime.now(UTC), asked.window_hours)
    return replace(report, effects=report.of(asked.by)) if asked.by else report


def _evaluate(here: Serving, asked: WindowQuery) -> Evaluated:
    try:
        report, generation = evaluate(
            here.home / "index",
            here.home / LOG,
            Direct(),
            datetime.now(UTC),
            window_hours=asked.window_hours,
            keep_generations=here.settings.index.keep_generations,
        )
    except Busy as error:
        raise under_way("try again when it has ended") from error
    return shown_as(Evaluated, report, generation=generation)
