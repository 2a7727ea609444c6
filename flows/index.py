"""The index flow: enumerate -> classify -> chunk -> withhold secrets -> embed -> upsert -> check claims -> evaluate.

Published twice where there is much to embed, so that words answer before vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flows.embedding import embed_waiting
from flows.identity import must_rebuild, settle_embedder
from flows.job import IndexJob
from flows.ledger import Ledger
from muniment.assembly import NAMED
from muniment.errors import ProviderError
from muniment.runner import Runner
from schemas.runs import RunReport
from tasks.changes import Changes, Known, classify_sources, cut_slices, known_files, refuse_shrinkage
from tasks.chunk.files import chunk_sources
from tasks.drift.check import check_claims, standing
from tasks.effectiveness.evaluate import as_rows, evaluate_effectiveness
from tasks.enumerate.listing import Listed, list_sources, remember_files
from tasks.quality.gate import check_chunks
from tasks.secrets.withhold import withhold_secrets
from tasks.upsert import fill_vectors, find_waiting, forget_changed, places_of, upsert_changes

if TYPE_CHECKING:
    from muniment.embedders import Embedder
    from muniment.store.writer import Writer

Watch = Callable[[str, int, int], None]
"""Told of progress: stage, done, total."""

WORDS_FIRST = 64
"""With more texts than this to embed, the words are published before the vectors."""


def quiet(_stage: str, _done: int, _total: int) -> None:
    """A watch that tells nobody."""


def index(job: IndexJob, run: Runner, watch: Watch = quiet) -> RunReport:
    """Brings the job's sources up to date, publishes the result and returns what was done.

    Raises any MunimentError but ProviderError: a text that could not be embedded is pending in the published
    generation, and the report says how many and why. Whatever is raised, the last published generation still answers.
    """
    from muniment.store.writer import open_writer

    if job.shared:
        from muniment.store.shared import collect_shared, pull_generation

        run(pull_generation, job.shared, job.index)
    with open_writer(job.index) as writer:
        settled = settle_embedder(job.embedder, writer.published, run)
        embedder = settled.embedder
        beside = job.rebuild or must_rebuild(writer.published, embedder, job.embedder.name)
        ledger = Ledger(job, embedder, {} if beside else writer.sources)
        sources = (*job.sources, *job.others) if beside else job.sources
        writer.begin(embedder.fingerprint, embedder.dimension, beside=beside)
        if beside and not embedder.fixed:
            run(forget_changed, writer, embedder)
        known = known_files(writer, sources, ledger.same_inputs)
        with ledger.stage("enumerate"):
            listed = run(list_sources, sources, job.seen)
        with ledger.stage("classify"):
            changes = run(classify_sources, listed, known)
        if not job.allow_shrink:
            # Against what is published: tables that are built beside it hold nothing yet.
            refuse_shrinkage(changes, writer.sources, job.inputs)
        if writer.published and writer.published.pending:
            with ledger.stage("upsert"):
                run(fill_vectors, writer)  # those that a killed run has computed
        for part in cut_slices(changes, job.slice_files):
            _write(part, known, embedder, writer=writer, run=run, ledger=ledger)
        ledger.sorted_out(changes)
        _embed(writer, embedder, run, ledger, watch)
        with ledger.stage("upsert"):
            waiting = run(fill_vectors, writer)
        ledger.waiting(
            writer.count()[1] if settled.unknown else waiting, settled.unknown or ledger.report.pending_reason
        )
        _check_claims(writer, listed, job, run, ledger)
        _evaluate(writer, job, run, ledger)
        _publish(writer, run, ledger)
        remember_files(listed, job.seen)
        with ledger.stage("reclaim"):
            run(writer.reclaim, job.keep_generations)
            if job.shared:
                run(collect_shared, job.shared, job.keep_generations, job.spare_orphans)
        return ledger.close()


def _write(
    part: list[Changes], known: list[Known], embedder: Embedder, *, writer: Writer, run: Runner, ledger: Ledger
) -> None:
    """Cuts some of the changed files and writes what came of them."""
    with ledger.stage("chunk"):
        chunked = run(chunk_sources, part, known, embedder)
    with ledger.stage("secrets"):
        chunked = run(withhold_secrets, part, chunked)
    with ledger.stage("chunk"):
        run(check_chunks, chunked)
    ledger.chunked(part, chunked)
    with ledger.stage("upsert"):
        ledger.upserted(run(upsert_changes, writer, part, chunked))


def _embed(writer: Writer, embedder: Embedder, run: Runner, ledger: Ledger, watch: Watch) -> None:
    """Computes and keeps the vectors that are missing; what can't be had stays pending, with its reason."""
    texts = find_waiting(writer)
    if texts.num_rows > WORDS_FIRST:
        ledger.waiting(writer.pending(["chunk_id"]).num_rows, "they are being computed")
        _publish(writer, run, ledger)
    ledger.waiting(0, "")
    with ledger.stage("embed"):
        try:
            for done in embed_waiting(texts, embedder, writer, run):
                ledger.embedded(done, places_of(writer, done.failures))
                watch("embed", ledger.report.embedded, texts.num_rows)
        except ProviderError as error:
            ledger.waiting(0, error.message)


def _check_claims(writer: Writer, listed: list[Listed], job: IndexJob, run: Runner, ledger: Ledger) -> None:
    """Holds what the documents say of options against the files of the same commit."""
    with ledger.stage("claims"):
        checked = run(check_claims, listed, standing(writer, job.seen, job.truth_order))
        for one in checked:
            if one.changed or job.stamp_claims:
                writer.replace("claims", one.rows, one.source)
    ledger.checked(checked)


def _evaluate(writer: Writer, job: IndexJob, run: Runner, ledger: Ledger) -> None:
    """Counts what was used of what was gathered; where nothing was ever gathered, nothing is loaded for it."""
    if job.log is None or not any(job.log.glob(NAMED)):
        return
    with ledger.stage("effectiveness"):
        report = job.used or run(evaluate_effectiveness, job.log, datetime.now(UTC))
        writer.replace("effectiveness", as_rows(report))


def _publish(writer: Writer, run: Runner, ledger: Ledger) -> None:
    with ledger.stage("publish"):
        writer.publish(ledger.generation(writer, writer.seal(ledger.keep)))
    if ledger.shared:
        from muniment.store.shared import push_generation

        with ledger.stage("push"):
            run(push_generation, ledger.shared, writer.index)
