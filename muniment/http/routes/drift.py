"""GET /api/drift: where documents and files disagree, as far as runs have looked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError

from flows.nightly import REPORTS
from muniment.disputes import disputes_by_source
from muniment.http.replies import DriftReply, LastNight, SourceClaims
from muniment.http.serving import Here, Serving

if TYPE_CHECKING:
    from muniment.store.reader import Reader

router = APIRouter(tags=["drift"])
_NIGHT = TypeAdapter(LastNight)
VERDICTS = ("agrees", "disagrees", "unknown")


@router.get("/api/drift", summary="Where documents and files disagree")
async def drift(here: Here) -> DriftReply:
    """Documented defaults held against their truths by the run that made the generation, and the last night's findings.

    Looking anew is what `muniment drift` and `muniment nightly` do.
    """
    return await here.work(_drift, here)


def _drift(here: Serving) -> DriftReply:
    with here.index.reader() as reader:
        return DriftReply(reader.generation.number, _claims(reader), _last_night(here.home / REPORTS))


def _claims(reader: Reader) -> tuple[SourceClaims, ...]:
    verdicts = Counter(zip(*reader.rows("claims", ["source", "verdict"]).to_pydict().values(), strict=True))
    disputes = disputes_by_source(reader)
    return tuple(
        SourceClaims(name, {verdict: verdicts[name, verdict] for verdict in VERDICTS}, tuple(disputes.get(name, ())))
        for name in reader.generation.sources
    )


def _last_night(reports: Path) -> LastNight | None:
    try:
        kept = json.loads((reports / "nightly.json").read_text(encoding="utf-8"))
        return _NIGHT.validate_python({name: kept[name] for name in LastNight.__slots__}, strict=False)
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None
