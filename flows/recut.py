"""The recut flow: damaged documents are cut again as they are indexed, damaged tables made again; all else stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from flows.embedding import embed_waiting
from flows.identity import settle_embedder
from flows.index import Watch
from flows.job import IndexJob
from flows.ledger import count_held
from muniment.assembly import NAMED
from muniment.errors import ForeignIndex, ProviderError
from muniment.runner import Runner
from schemas.columns import CLAIMS, arrow_schema
from schemas.damage import Extent, Made
from schemas.files import Source
from schemas.generations import Generation, SourceState
from schemas.runs import SourceRun
from tasks.again import Again, drop_stale, write_again
from tasks.changes import HELD, classify_sources, cut_slices, held_in, refuse_shrinkage
from tasks.chunk.files import chunk_sources
from tasks.drift.check import check_claims, standing
from tasks.effectiveness.evaluate import as_rows, evaluate_effectiveness
from tasks.enumerate.listing import Listed, list_sources
from tasks.quality.gate import check_chunks
from tasks.secrets.withhold import withhold_secrets
from tasks.sound import STAMPED, TOLD_BY, chunk_prints, find_sound, find_stamps
from tasks.upsert import fill_vectors, find_waiting

if TYPE_CHECKING:
    from muniment.embedders import Embedder
    from muniment.store.bases import Base
    from muniment.store.writer import Writer

FROM_FILES = {"documents", "chunks", "skipped"}
"""Tables that are made of the files of the sources, one by one."""


def recut(
    job: IndexJob,
    extent: Extent,
    run: Runner,
    watch: Watch,
    *,
    search_indexes: bool = False,
    allow_shrink: bool = False,
) -> Made:
    """Makes again what the extent names, and the search indexes where asked, publishes it and returns what that took.

    A repository is read at the commit that is indexed, other sources as they are now. Raises SourceUnreadable, also for
    a commit that is not there any more, Shrunk, and ForeignIndex where neither documents nor chunks can be relied on.
    """
    from muniment.store.bases import find_bases
    from muniment.store.writer import open_writer

    with open_writer(job.index) as writer:
        published = writer.published
        assert published
        bases = find_bases(job.index, published, {"documents", *extent.tables})
        if {"documents", "chunks"} <= extent.tables and not bases.keys() & {"documents", "chunks"}:
            raise ForeignIndex("neither the documents nor the chunks can be read")
        embedder = settle_embedder(job.embedder, published, run).embedder
        instead = {name: bases[name].table if name in bases else None for name in extent.tables}
        writer.begin(embedder.fingerprint, embedder.dimension, beside=False, instead=instead)
        if search_indexes and "chunks" not in extent.tables:
            writer.drop_search_indexes()
        pass_ = _Pass(job, extent, run, writer, embedder, published, bases)
        listed = run(list_sources, pass_.sources(), job.seen)
        again = pass_.cut(listed, allow_shrink=allow_shrink)
        embedded, reason = pass_.embed(again, watch)
        pass_.check_claims(listed, again)
        pass_.evaluate()
        pass_.publish(reason)
        return Made(again.documents, again.from_cache, embedded, tuple(sorted(extent.tables)))


@dataclass(frozen=True, slots=True)
class _Pass:
    """What one pass goes by."""

    job: IndexJob
    extent: Extent
    run: Runner
    writer: Writer
    embedder: Embedder
    published: Generation
    bases: Mapping[str, Base]

    @property
    def affected(self) -> set[str]:
        """Names of the sources of which documents are cut again."""
        every = self.published.sources.keys()
        if self.extent.tables & FROM_FILES:
            return set(every)
        return {*self.extent.documents.values(), *self.extent.sources} & every

    def sources(self) -> tuple[Source, ...]:
        """The sources that are read, each as it is indexed."""
        wanted = self.published.sources.keys() if "claims" in self.extent.tables else self.affected
        known = {source.name: source for source in (*self.job.sources, *self.job.others)}
        return tuple(
            _as_indexed(known[name], state) for name, state in self.published.sources.items() if name in wanted
        )

    def cut(self, listed: Sequence[Listed], *, allow_shrink: bool) -> Again:
        """Cuts again what is damaged, and drops the rows that belong to nothing."""
        affected = [one for one in listed if one.source.name in self.affected]
        again = self._prepare([one.source for one in affected])
        known = [one.known for one in again.sound]
        changes = self.run(classify_sources, affected, known)
        if not allow_shrink:
            as_now = [change for change in changes if not change.listed.source.commit]
            inputs = {name: state.inputs for name, state in self.published.sources.items()}
            refuse_shrinkage(as_now, self.published.sources, inputs)
        changes = [sound.narrowed(change) for sound, change in zip(again.sound, changes, strict=True)]
        for sound, change in zip(again.sound, changes, strict=True):
            again.stand |= sound.standing(change)
        for part in cut_slices(changes, self.job.slice_files) if changes else ():
            chunked = self.run(chunk_sources, part, known, self.embedder)
            chunked = self.run(withhold_secrets, part, chunked)
            self.run(check_chunks, chunked)
            self.run(write_again, self.writer, again, part, chunked)
        self.run(drop_stale, self.writer, again, self.affected, self.published.sources.keys())
        return again

    def _prepare(self, sources: Sequence[Source]) -> Again:
        cut_from = None
        if "chunks" in self.extent.tables:
            earlier = self._earlier(self.bases.get("chunks"), ["doc_id", *HELD])
            cut_from = {row["doc_id"]: held_in(row) for row in earlier}
        rows = self.writer.rows("documents", ["doc_id", *STAMPED]).to_pylist()
        contents, prints = {}, {}
        if "documents" not in self.extent.tables:
            contents = {row["doc_id"]: row["content_id"] for row in rows}
        elif "chunks" not in self.extent.tables:
            prints = chunk_prints(self.writer.rows("chunks", TOLD_BY))
        return Again(
            self.extent,
            find_sound(self.writer, sources, self.extent, cut_from),
            find_stamps([*rows, *self._earlier(self.bases.get("documents"), STAMPED)]),
            {key: content for key, content in contents.items() if key not in self.extent.documents},
            {key: told for key, told in prints.items() if key not in self.extent.documents},
        )

    def _earlier(self, base: Base | None, columns: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """The documents of an earlier generation."""
        from muniment.store import audit

        yield from audit.rows(self.job.index, base.documents, columns) if base else ()

    def embed(self, again: Again, watch: Watch) -> tuple[int, str]:
        """Embeds the texts that were written and have no vector yet: how many, and why others still wait."""
        import pyarrow as pa
        import pyarrow.compute as pc

        embedded, reason = 0, self.published.pending_reason
        waiting = find_waiting(self.writer)
        waiting = waiting.filter(pc.is_in(waiting["embed_hash"], value_set=pa.array(sorted(again.hashes), pa.string())))
        try:
            for done in embed_waiting(waiting, self.embedder, self.writer, self.run):
                embedded += len(done.hashes)
                reason = next(iter(done.failures.values()), reason)
                watch("embed", embedded, waiting.num_rows)
        except ProviderError as error:
            reason = error.message
        self.run(fill_vectors, self.writer)
        return embedded, reason

    def check_claims(self, listed: Sequence[Listed], again: Again) -> None:
        """Judges the claims again, of all sources where their table is made anew, else of those that are others now."""
        anew = "claims" in self.extent.tables
        held = self.writer.rows("claims", ["doc_id", "source"]).to_pylist()
        gone = {row["source"] for row in held if row["doc_id"] in self.extent.documents.keys() - again.stand}
        wanted = [one for one in listed if anew or one.source.name in again.moved | gone]
        for checked in self.run(check_claims, wanted, standing(self.writer, self.job.seen, self.job.truth_order)):
            if checked.changed:
                self.writer.replace("claims", checked.rows, checked.source)
        for name in {row["source"] for row in held} - self.published.sources.keys():
            self.writer.replace("claims", arrow_schema(CLAIMS).empty_table(), name)

    def evaluate(self) -> None:
        """Counts again what was used, where that table is made anew and there is a log to count in."""
        log = self.job.log
        if "effectiveness" in self.extent.tables and log and any(log.glob(NAMED)):
            used = self.run(evaluate_effectiveness, log, datetime.now(UTC))
            self.writer.replace("effectiveness", as_rows(used))

    def publish(self, reason: str) -> None:
        """Publishes the tables with the counts that they have now."""
        writer, keep = self.writer, self.job.keep_generations
        columns = ["source", "chunk_count", "sensitivity", "secrets"]
        held = writer.rows("documents", columns).to_pylist()
        pending = writer.pending(["chunk_id"]).num_rows
        tables = writer.seal(keep)
        writer.publish(
            self.published._replace(
                number=writer.number,
                published_at=datetime.now(UTC).isoformat(timespec="seconds"),
                pending=pending,
                pending_reason=reason if pending else "",
                tables=tables,
                sources={name: _counted(state, held) for name, state in self.published.sources.items()},
            )
        )
        writer.reclaim(keep)


def _as_indexed(source: Source, state: SourceState) -> Source:
    at = state.commit if state.kind == "git" and not state.worktree else ""
    return replace(source, worktree=state.worktree, commit=at)


def _counted(state: SourceState, held: Sequence[Mapping[str, Any]]) -> SourceState:
    found = SourceRun(state.name, state.path)
    count_held(found, [row for row in held if row["source"] == state.name])
    return state._replace(
        documents=found.documents,
        chunks=found.chunks,
        withheld=found.withheld,
        withheld_chunks=found.withheld_chunks,
        secrets=found.secrets,
    )
