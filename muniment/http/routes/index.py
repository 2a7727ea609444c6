"""/api/index: bring the index up to date, and say what it holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path

from flows.job import make_job
from muniment.errors import NoIndex
from muniment.generation import read_current
from muniment.http.asked import ScanBody
from muniment.http.problem import not_found
from muniment.http.replies import Scan
from muniment.http.runs import Run
from muniment.http.serving import Here, Serving
from muniment.noop import nothing_to_do
from muniment.shown import show_status
from schemas.shown import IndexStatus

router = APIRouter(tags=["index"])


@router.post("/api/index/scan", status_code=202, summary="Bring the index up to date")
@router.post("/api/vault-index/scan", status_code=202, summary="The same")
async def scan(here: Here, body: ScanBody | None = None) -> Scan:
    """A run over the configured sources, else those of the index, that has just begun; 409 while another one runs.

    The index answers all the while: readers see the new generation once it is published.
    """
    return await here.work(_scan, here, body or ScanBody())


@router.get("/api/index/runs/{run}", summary="How far a run has come")
async def find_run(run: Annotated[str, Path(max_length=100)], here: Here) -> Run:
    """The run, and its report once it has ended well; also of runs that the command line made."""
    found = await here.work(here.runs.find, run)
    if found is None:
        raise not_found("no such run", "those of this server are kept a while, of others only those that ended well")
    return found


@router.get("/api/index/status", summary="What is indexed")
async def status(here: Here) -> IndexStatus:
    """The published generation, with its sources."""
    return await here.work(_status, here)


def _scan(here: Serving, body: ScanBody) -> Scan:
    index = here.home / "index"
    if not (body.force or here.runs.under_way):
        same = nothing_to_do(index, (), here.config, here.environ, worktree=False)
        if same:
            return Scan(same.run, "unchanged", same.number)
    job = make_job(here.settings, here.config, here.home, here.environ)
    run = here.runs.start(replace(job, rebuild=body.force, allow_shrink=body.allow_shrink))
    published = read_current(index)
    return Scan(run.run, "running", published.number if published else 0)


def _status(here: Serving) -> IndexStatus:
    try:
        generation = here.index.generations.current()
    except NoIndex as error:
        raise NoIndex(error.message, f"{error.hint}, or POST /api/index/scan") from error
    return show_status(generation, here.index.generations.kept(), here.runs.under_way)
