"""The rebuild flow: everything read again into new tables beside the published ones, then swapped and reclaimed."""

from dataclasses import replace

from flows.index import Watch, index, quiet
from flows.job import IndexJob
from muniment.runner import Runner
from schemas.runs import RunReport


def rebuild(job: IndexJob, run: Runner, watch: Watch = quiet) -> RunReport:
    """Builds all sources of the index anew, those of the job and all others; returns what was done.

    Vectors come from the cache wherever the embedder is the same. Readers keep the old generation until the new one
    is published; a run that is killed before leaves it in place.
    """
    return index(replace(job, sources=(*job.sources, *job.others), others=(), rebuild=True), run, watch)
