"""What may be asked of a deployed run, as Prefect checks it when it is asked, and what the run is called for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from prefect.runtime import flow_run
from pydantic import Field

from muniment.hook_event import RESOURCE

# Absolute, because a run stands in the checkout: what somebody means by `docs` is not there.
Absolute = Annotated[str, Field(pattern="^/")]
AbsoluteOrEmpty = Annotated[str, Field(pattern="^(/|$)")]
Patience = Annotated[float, Field(ge=0)]

NAMED = 3
"""A run's name tells at most so many sources."""
ALL_SOURCES = "all sources"


def name_asked() -> str:
    """The name of the deployed run that is starting: the pull that started it, else its sources."""
    asked = flow_run.parameters
    if pulled := asked.get("pulled"):
        return f"pull of {pulled.removeprefix(RESOURCE)}"
    return name_sources([Path(path).name for path in asked.get("paths") or ()])


def name_sources(names: Sequence[str]) -> str:
    """The name of a run over these sources: `ops, vault`."""
    told = ", ".join(names[:NAMED])
    return f"{told} and {len(names) - NAMED} more" if len(names) > NAMED else told or ALL_SOURCES
