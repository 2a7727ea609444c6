"""GET /api/drift: where documents and files disagree, as far as runs have looked."""

from __future__ import annotations

from fastapi import APIRouter

from muniment.home import REPORTS
from muniment.http.serving import Here, Serving
from muniment.shown import show_drift
from muniment.store.kept import reopening
from schemas.shown import DriftReply

router = APIRouter(tags=["drift"])


@router.get("/api/drift", summary="Where documents and files disagree")
async def drift(here: Here) -> DriftReply:
    """Documented defaults held against their truths by the run that made the generation, and the last night's findings.

    Looking anew is what `muniment drift` and `muniment nightly` do.
    """
    return await here.work(_drift, here)


@reopening
def _drift(here: Serving) -> DriftReply:
    with here.index.reader() as reader:
        return show_drift(reader, here.home / REPORTS)
