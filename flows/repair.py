"""The repair flow: what a deep verification finds is mended where it stands, or built anew and published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from flows.identity import must_rebuild, settle_embedder
from flows.index import Watch, quiet
from flows.job import IndexJob
from flows.rebuild import rebuild
from muniment.errors import Shrunk, UsageError
from muniment.generation import read_current
from muniment.noop import SEEN
from muniment.runner import Runner
from muniment.verify.found import Remedy, Verified
from schemas.generations import Generation
from tasks.changes import Known, classify_sources
from tasks.enumerate.listing import list_sources

if TYPE_CHECKING:
    from muniment.verify.index import Place
    from schemas.runs import RunReport

ROUNDS = 3
"""What is damaged may hide other damage, which the next look then finds."""


@dataclass(slots=True)
class Repaired:
    """What was wrong, what was done about it, and what is left."""

    before: Verified
    after: Verified
    done: list[str] = field(default_factory=list)
    report: RunReport | None = None
    """Of the run that built everything anew, where one was needed."""


def repair(
    home: Path, make_job: Callable[[], IndexJob], run: Runner, *, allow_shrink: bool = False, watch: Watch = quiet
) -> Repaired:
    """Mends all that `verify --deep` finds of the index in a home, publishes it and verifies again.

    Only texts of which neither the cache nor a whole table has a sound vector are embedded. `make_job` names sources
    and embedder; it is called once the pointer is whole, which may be all that names them. Raises what an index run
    raises, and Shrunk where a source has less than half of the documents that are published of it.
    """
    from muniment.verify.index import Place, verify_index

    place = Place(home / "index", home / "runs", home / "index" / SEEN)
    found = verify_index(place, deep=True)
    repaired = Repaired(found, found)
    for _ in range(ROUNDS):
        if repaired.after.ok:
            break
        _Round(place, make_job, run, watch, repaired, allow_shrink).mend()
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

    def mend(self) -> None:
        wanted: set[Remedy] = {finding.remedy for finding in self.repaired.after.findings}
        published = self._mend_in_place(wanted)
        job = self._job(published)
        if published is None or self._needs_rebuild(wanted):
            self._rebuild(job, published)
        elif wanted & {"search index", "publish again"}:
            self._publish_again(job.keep_generations, search_indexes="search index" in wanted)
        self._clean_up(job.keep_generations, {published.number} if published and "rebuild" in wanted else set())

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

    def _needs_rebuild(self, wanted: set[Remedy]) -> bool:
        # Marks that are still in a writer's way after they were dropped: the table's folder is given up.
        tried = "marks" in {finding.remedy for finding in self.repaired.before.findings}
        again = self.repaired.after is not self.repaired.before
        return "rebuild" in wanted or ("marks" in wanted and tried and again)

    def _mend_in_place(self, wanted: set[Remedy]) -> Generation | None:
        """Mends what needs no source; returns the published generation as it is then."""
        from muniment.store import mend
        from muniment.store.writer import write_lock

        index, done = self.place.index, self.repaired.done
        with write_lock(index):
            if "pointer" in wanted:
                done += filter(None, [mend.mend_pointer(index)])
            published = read_current(index)
            if published and "marks" in wanted and (dropped := mend.mend_tags(index, published)):
                done.append(f"{dropped} marks on versions that could not be read are dropped; runs set their own")
            if published and wanted & {"cache", "rebuild"}:
                filled = mend.mend_cache(index, published)
                if filled or "cache" in wanted:
                    done.append(f"the cache of vectors is sound again; {filled} vectors came from whole chunks")
        if wanted & {"seen", "record"}:
            self._drop_kept(wanted)
        return published

    def _drop_kept(self, wanted: set[Remedy]) -> None:
        """Drops what runs keep to spare themselves work, and records that are torn; the next run makes its own."""
        if "seen" in wanted:
            for path in self.place.seen.iterdir():
                path.unlink()
            self.repaired.done.append("what was seen of the sources is dropped: the next run reads more of them")
        for finding in self.repaired.after.findings:
            if finding.remedy == "record":
                (self.place.runs.parent / finding.place).unlink(missing_ok=True)
                self.repaired.done.append(f"{finding.place} is dropped")

    def _rebuild(self, job: IndexJob, published: Generation | None) -> None:
        if published:
            # Raises where the settings ask for another embedder: to embed everything anew is the operator's to start.
            must_rebuild(published, settle_embedder(job.embedder, published, self.run).embedder, job.embedder.name)
            if not self.allow_shrink:
                _refuse_shrinkage(job, published, self.run)
        report = self.repaired.report = rebuild(job, self.run, self.watch)
        vectors = f"{report.from_cache} vectors from the cache, {report.embedded} embedded anew"
        self.repaired.done.append(f"all tables are built anew from the sources; {vectors}")

    def _publish_again(self, keep: int, *, search_indexes: bool) -> None:
        from muniment.store.mend import republish
        from muniment.store.writer import open_writer

        now = datetime.now(UTC).isoformat(timespec="seconds")
        with open_writer(self.place.index) as writer:
            republish(writer, keep, now, search_indexes=search_indexes)
        what = "the search indexes are made anew" if search_indexes else "the checksums are taken anew"
        self.repaired.done.append(f"{what}, and the tables published again")

    def _clean_up(self, keep: int, damaged: set[int]) -> None:
        from muniment.store.mend import give_up
        from muniment.store.sweep import collect
        from muniment.store.writer import write_lock

        with write_lock(self.place.index):
            gone, still_read = give_up(self.place.index, damaged)
            collect(self.place.index, keep, dry=False)
        self.repaired.done += [f"generation {number}, which was damaged, is given up" for number in gone]
        self.repaired.done += [f"generation {number} is damaged, and somebody still reads it" for number in still_read]


def _refuse_shrinkage(job: IndexJob, published: Generation, run: Runner) -> None:
    """Raises Shrunk where a source has less than half of what is published of it: a missing mount looks like this."""
    listed = run(list_sources, (*job.sources, *job.others), job.seen)
    for change in run(classify_sources, listed, [Known()] * len(listed)):
        name, left = change.listed.source.name, len(change.changed)
        state = published.sources.get(name)
        held = state.documents + sum(state.withheld.values()) if state else 0
        if left * 2 < held:
            raise Shrunk(
                f"source '{name}' has {left} documents left of {held}",
                "if that is right, repair with --allow-shrink; the index is unchanged",
            )
