"""The repair flow: what a deep verification finds is mended where it stands, or made again, and no more than that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flows.identity import must_rebuild, settle_embedder
from flows.index import Watch, quiet
from flows.job import IndexJob
from flows.mend import clean_up, mend_in_place, publish_again
from flows.rebuild import rebuild
from flows.recut import recut
from muniment.errors import ForeignIndex, SourceUnreadable, UsageError
from muniment.noop import SEEN
from muniment.runner import Runner
from muniment.verify.found import Verified
from schemas.columns import TABLES
from schemas.damage import Made
from schemas.generations import Generation
from tasks.changes import Known, classify_sources, refuse_shrinkage
from tasks.enumerate.listing import list_sources

if TYPE_CHECKING:
    from muniment.verify.index import Place
    from schemas.runs import RunReport

ROUNDS = 3
"""What is damaged may hide other damage, which the next look then finds. The last round builds everything anew."""


@dataclass(slots=True)
class Repaired:
    """What was wrong, what was done about it, and what is left."""

    before: Verified
    after: Verified
    done: list[str] = field(default_factory=list)
    made: Made = field(default_factory=Made)
    """In numbers, over all rounds."""
    report: RunReport | None = None
    """Of the run that built everything anew, where one was needed."""


def repair(
    home: Path, make_job: Callable[[], IndexJob], run: Runner, *, allow_shrink: bool = False, watch: Watch = quiet
) -> Repaired:
    """Mends all that `verify --deep` finds of the index in a home, publishes it and verifies again.

    What is made again are the damaged documents or tables, and everything only where nothing else is left. Only texts
    of which neither the cache nor a whole table has a sound vector are embedded. `make_job` names sources and embedder;
    it is called once the pointer is whole, which may be all that names them. Raises what an index run raises, and
    Shrunk where a source has less than half of the documents that are published of it.
    """
    from muniment.verify.index import Place, verify_index

    place = Place(home / "index", home / "runs", home / "index" / SEEN)
    found = verify_index(place, deep=True)
    repaired = Repaired(found, found)
    for number in range(1, ROUNDS + 1):
        if repaired.after.ok:
            break
        _Round(place, make_job, run, watch, repaired, allow_shrink, number).mend()
        repaired.after = verify_index(place, deep=True)
    return repaired


@dataclass(slots=True)
class _Round:
    """One look and what follows from it."""

    place: Place
    make_job: Callable[[], IndexJob]
    run: Runner
    watch: Watch
    repaired: Repaired
    allow_shrink: bool
    number: int

    def mend(self) -> None:
        found, index, done = self.repaired.after, self.place.index, self.repaired.done
        published = mend_in_place(self.place, found, done)
        job = self._job(published)
        if "marks" in found.remedies and self.number > 1:
            found.extent.tables |= self._marked(published)
        if published is None:
            self._rebuild(job)
        elif found.extent:
            self._make_again(job, published)
        elif found.remedies & {"search index", "publish again"}:
            again = publish_again(index, job.keep_generations, search_indexes="search index" in found.remedies)
            done.append(again)
        clean_up(index, job.keep_generations, {published.number} if published and found.extent else set(), done)

    def _job(self, published: Generation | None) -> IndexJob:
        try:
            return self.make_job()
        except UsageError:
            if published:
                raise
            raise UsageError(
                "nothing that was published can be read, and no settings name the sources",
                "build the index anew with 'muniment index PATH'; vectors come from the cache",
            ) from None

    def _marked(self, published: Generation | None) -> set[str]:
        """Tables whose marks are still in a writer's way after they were dropped: these folders are given up."""
        places = {finding.place for finding in self.repaired.after.findings if finding.remedy == "marks"}
        tables = published.tables if published else {}
        return {name for name, table in tables.items() if f"tables/{table.name}.lance" in places}

    def _make_again(self, job: IndexJob, published: Generation) -> None:
        """Makes again what is damaged; everything, where that was of no use before or can't be done."""
        # Raises where the settings ask for another embedder: to embed everything anew is the operator's to start.
        embedder = settle_embedder(job.embedder, published, self.run).embedder
        everything = must_rebuild(published, embedder, job.embedder.name) or self.number == ROUNDS
        if everything or not self._recut(job):
            if not self.allow_shrink:
                self._refuse_shrinkage(job, published)
            self._rebuild(job)

    def _recut(self, job: IndexJob) -> bool:
        """Whether what is damaged could be made again by itself."""
        found, done = self.repaired.after, self.repaired.done
        indexes = "search index" in found.remedies
        try:
            made = recut(
                job, found.extent, self.run, self.watch, search_indexes=indexes, allow_shrink=self.allow_shrink
            )
        except (ForeignIndex, SourceUnreadable) as error:
            done.append(f"what is damaged could not be made again by itself: {error.message}")
            return False
        self.repaired.made += made
        done.append(str(made))
        return True

    def _refuse_shrinkage(self, job: IndexJob, published: Generation) -> None:
        """Raises Shrunk where a source has less than half of what is published of it: a missing mount looks so."""
        listed = self.run(list_sources, (*job.sources, *job.others), job.seen)
        changes = self.run(classify_sources, listed, [Known()] * len(listed))
        refuse_shrinkage(changes, published.sources, {name: one.inputs for name, one in published.sources.items()})

    def _rebuild(self, job: IndexJob) -> None:
        report = self.repaired.report = rebuild(job, self.run, self.watch)
        documents = sum(source.indexed for source in report.sources)
        tables = tuple(sorted(TABLES.keys() - {"embeddings"}))
        made = Made(documents, report.from_cache, report.embedded, tables)
        self.repaired.made += made
        self.repaired.done.append(f"everything is built anew from the sources: {made}")
