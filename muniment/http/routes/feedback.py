"""POST /api/feedback: which of the passages that were found were used."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter

from muniment.assembly import record_feedback
from muniment.http.asked import FeedbackBody
from muniment.http.serving import Here
from schemas.shown import Feedback

router = APIRouter(tags=["effectiveness"])


@router.post("/api/feedback", summary="Say what was used")
async def feedback(body: FeedbackBody, here: Here) -> Feedback:
    """What was added to the log."""
    used = tuple(dict.fromkeys(body.used))
    await here.work(record_feedback, here.home, datetime.now(UTC), body.assembly, used)
    return Feedback(body.assembly, used)
