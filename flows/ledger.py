"""The run's own book-keeping: counts and seconds for run.json, and the generation that they describe."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from flows.job import IndexJob
from muniment.inert import write_json
from schemas.generations import Generation, SourceState, TableVersion
from schemas.runs import RunReport, SourceRun
from schemas.stated import SHOWN as SHOWN_TO_ALL
from schemas.versions import SCHEMA_VERSION
from tasks.chunk.files import chunker_name, token_budget

if TYPE_CHECKING:
    from muniment.embedders import Embedder
    from muniment.store.writer import Writer
    from schemas.files import Skipped
    from tasks.changes import Changes
    from tasks.chunk.files import Chunked
    from tasks.drift.check import Checked
    from tasks.embed import Embedded
    from tasks.upsert import Upserted

# Listing every source file of a repository would bury the skips that somebody can act on.
UNREMARKABLE = {"not documentation", "excluded", "no documentation", "empty", "type left out"}

KEPT_RUNS = 200
SHOWN = 5
"""A note names at most so many files."""


def make_run_id(now: datetime) -> str:
    """A new id of a run: names of its folder sort by time. `now` is in UTC."""
    return f"{now:%Y%m%dT%H%M%S}Z-{secrets.token_hex(3)}"


@dataclass(slots=True)
class _Tally:
    """What became of the changed files of one source, so far."""

    documents: int = 0
    unchanged: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    withheld: int = 0
    """Of the documents, those that are."""

    def add(self, cut: Chunked) -> None:
        self.documents += cut.documents.num_rows
        self.withheld += sum(one not in SHOWN_TO_ALL for one in cut.documents["sensitivity"].to_pylist())
        self.unchanged += len(cut.unchanged)
        self.skipped += cut.skipped
        self.doubts += cut.doubts


class Ledger:
    """Fills a RunReport while the flow goes on."""

    def __init__(self, job: IndexJob, embedder: Embedder, published: Mapping[str, SourceState]) -> None:
        now = datetime.now(UTC)
        self._job = job
        self.keep = job.keep_generations
        self.shared = job.shared
        self._published = published
        self._budget = token_budget(embedder)
        self._dimension = embedder.dimension
        self._skips: list[dict[str, str]] = []
        self._tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        self.same_inputs = {name: state.inputs == job.inputs.get(name) for name, state in published.items()}
        self.report = RunReport(
            run=job.run or make_run_id(now),
            engine=job.engine,
            started_at=now.isoformat(timespec="seconds"),
            fingerprint=embedder.fingerprint,
            chunker=chunker_name(embedder),
            embedder=job.embedder.name,
        )

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the wall time of the block to the stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            seconds = self.report.seconds
            seconds[name] = round(seconds.get(name, 0.0) + time.perf_counter() - began, 4)

    def chunked(self, part: Sequence[Changes], chunked: Sequence[Chunked]) -> None:
        """Books what became of some of the changed files."""
        for change, cut in zip(part, chunked, strict=True):
            self._tallies[change.listed.source.name].add(cut)
            self.report.truncated += sum((count or 0) > self._budget for count in cut.chunks["tokens"].to_pylist())

    def sorted_out(self, changes: Sequence[Changes]) -> None:
        """Books what became of every listed file, once all that have changed are booked."""
        for change in changes:
            source = change.listed.source
            cut = self._tallies[source.name]
            skipped = [*change.skipped, *cut.skipped]
            lost = {skip.path for skip in cut.skipped} & change.replacing
            self.report.sources.append(
                SourceRun(
                    name=source.name,
                    path=source.path,
                    commit=change.listed.listing.commit,
                    worktree=source.worktree,
                    files=len(change.listed.listing.entries) + len(change.listed.listing.skipped),
                    indexed=cut.documents,
                    indexed_withheld=cut.withheld,
                    unchanged=len(change.unchanged) + cut.unchanged,
                    deleted=len(change.gone) + len(lost),
                    skipped=dict(sorted(Counter(skip.reason for skip in skipped).items())),
                    left_out=left_out(skipped),
                    notes=_notes(change),
                    doubts=_doubts([*change.listed.listing.doubts, *cut.doubts]),
                )
            )
            self._skips += [
                _skip(source.name, skip.path, skip.reason, skip.detail, skip.sensitivity)
                for skip in skipped
                if skip.reason not in UNREMARKABLE
            ]

    def upserted(self, done: Upserted) -> None:
        """Books the rows written."""
        self.report.chunks_written += done.chunks
        self.report.from_cache += done.from_cache

    def embedded(self, done: Embedded, places: Mapping[str, str]) -> None:
        """Books one batch of vectors, and what a refused text was refused for; `places` says where it stands."""
        self.report.embedded += len(done.hashes)
        for found, why in done.failures.items():
            self.report.pending_reason = f"{places[found]}: {why}" if found in places else why

    def checked(self, done: Sequence[Checked]) -> None:
        """Books the verdicts on the sources' claims."""
        self.report.claims = dict(sum((Counter(one.counts) for one in done), Counter()))

    def waiting(self, pending: int, reason: str) -> None:
        """Books how many chunks wait for vectors, and why."""
        self.report.pending = pending
        self.report.pending_reason = reason

    def generation(self, writer: Writer, tables: dict[str, TableVersion]) -> Generation:
        """The generation about to be published, with the counts as they are now."""
        report = self.report
        held = writer.rows("documents", ["source", "path", "chunk_count", "sensitivity", "secrets"]).to_pylist()
        for source in report.sources:
            count_held(source, [row for row in held if row["source"] == source.name])
        report.skips = [*self._skips, *self._secrets(held)]
        shown = [row["chunk_count"] for row in held if row["sensitivity"] in SHOWN_TO_ALL]
        report.documents, report.chunks = len(shown), sum(shown)
        report.generation = writer.number
        report.published.append(writer.number)
        return Generation(
            number=writer.number,
            published_at=datetime.now(UTC).isoformat(timespec="seconds"),
            schema=SCHEMA_VERSION,
            fingerprint=report.fingerprint,
            chunker=report.chunker,
            embedder=self._job.embedder.name,
            dimension=self._dimension,
            pending=report.pending,
            pending_reason=report.pending_reason,
            run=report.run,
            tables=tables,
            sources={**self._published} | {source.name: self._state(source) for source in report.sources},
        )

    def close(self) -> RunReport:
        """The finished report, which now also stands in the run's folder as run.json."""
        self.report.finished_at = datetime.now(UTC).isoformat(timespec="seconds")
        folder = self._job.runs / self.report.run
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(write_json(self.report.as_document(), indent=1) + "\n", encoding="utf-8")
        # A run's name begins with its time, so the oldest come first.
        for old in sorted(self._job.runs.iterdir())[:-KEPT_RUNS]:
            shutil.rmtree(old)
        return self.report

    def _secrets(self, held: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
        """The parts that are left out of the run's sources because they look like holding a key."""
        names = {source.name for source in self.report.sources}
        return [
            _skip(row["source"], row["path"], "secret", f"lines {row['secrets']}", row["sensitivity"])
            for row in held
            if row["secrets"] and row["source"] in names
        ]

    def _state(self, source: SourceRun) -> SourceState:
        wanted = (*self._job.sources, *self._job.others)
        kind = next(found.kind for found in wanted if found.name == source.name)
        return SourceState(
            name=source.name,
            path=source.path,
            kind=kind,
            worktree=source.worktree,
            commit=source.commit,
            inputs=self._job.inputs.get(source.name, ""),
            documents=source.documents,
            chunks=source.chunks,
            skipped=source.skipped,
            left_out=source.left_out,
            withheld=source.withheld,
            withheld_chunks=source.withheld_chunks,
            secrets=source.secrets,
        )


def _skip(source: str, path: str, reason: str, detail: str, sensitivity: str) -> dict[str, str]:
    return {"source": source, "path": path, "reason": reason, "detail": detail, "sensitivity": sensitivity}


def count_held(source: SourceRun, held: Sequence[Mapping[str, Any]]) -> None:
    """Books what the source has in the generation; what is withheld apart from the rest."""
    shown = [row["chunk_count"] for row in held if row["sensitivity"] in SHOWN_TO_ALL]
    withheld = [row for row in held if row["sensitivity"] not in SHOWN_TO_ALL]
    source.documents, source.chunks = len(shown), sum(shown)
    source.withheld = dict(sorted(Counter(row["sensitivity"] for row in withheld).items()))
    source.withheld_chunks = sum(row["chunk_count"] for row in withheld)
    source.secrets = sum(row["secrets"].count(",") + 1 for row in held if row["secrets"])


def left_out(skipped: Iterable[Skipped]) -> dict[str, int]:
    """Type -> how many of the skipped are notes of a type that is left out; the most frequent first."""
    return dict(Counter(skip.detail for skip in skipped if skip.reason == "type left out").most_common())


def _doubts(faults: Sequence[str]) -> list[str]:
    more = [f"and {len(faults) - SHOWN} more documents of which something can't be understood"]
    return [*faults[:SHOWN], *(more if len(faults) > SHOWN else [])]


def _notes(change: Changes) -> list[str]:
    notes = []
    if change.listed.narrowing.ignored:
        keys = ", ".join(change.listed.narrowing.ignored)
        notes.append(
            f"muniment.toml in the repository also sets {keys}: ignored, a repository may only narrow what is indexed"
        )
    if change.broken:
        files = "1 note" if len(change.broken) == 1 else f"{len(change.broken)} notes"
        named = ", ".join(change.broken[:SHOWN]) + (", ..." if len(change.broken) > SHOWN else "")
        notes.append(f"{files} with front matter that can't be read, and so without a type: {named}")
    return notes
