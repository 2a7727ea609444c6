"""`make bench-scale`: what an index of many chunks costs to write, to keep and to search, at several sizes."""

from __future__ import annotations

import argparse
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from benchmarks.made import DIMENSION, Made, Remembering
from benchmarks.scale_index import index_repository, print_indexed
from muniment.search import Question, search
from muniment.store.reader import Filter, Reader, open_reader
from muniment.store.writer import Writer, open_writer
from schemas.columns import SKIPPED, arrow_schema
from schemas.generations import Generation, SourceState
from schemas.versions import SCHEMA_VERSION

SIZES = (10_000, 100_000, 1_000_000)
DOCUMENTS = (1_000, 10_000, 50_000)
SLICE = 50_000
QUESTIONS = 200
EXACT = 25
"""Questions that are also answered by comparing every vector."""
PAIRS = 100
T = TypeVar("T")


class Written(NamedTuple):
    """What writing an index of one size cost; seconds of wall and of CPU, and megabytes."""

    chunks: int
    upsert_s: float
    upsert_cpu_s: float
    seal_s: float
    seal_cpu_s: float
    edit_s: float
    disk_mb: float
    peak_mb: float
    load: float


class Searched(NamedTuple):
    """How searching it went: milliseconds by kind of search, recall against exact search, megabytes."""

    chunks: int
    ms: dict[str, tuple[float, float]]
    """Kind of search -> p50 and p95."""
    cpu_ms: dict[str, float]
    recall: float
    open_ms: float
    opened_mb: float
    peak_mb: float
    load: float


def main() -> int:
    """Measures, and prints Markdown tables."""
    parser = argparse.ArgumentParser(prog="make bench-scale", description=__doc__)
    parser.add_argument("--chunks", type=int, nargs="*", default=list(SIZES), help="sizes of the index, in chunks")
    parser.add_argument("--documents", type=int, nargs="*", default=list(DOCUMENTS), help="sizes of a repository")
    parser.add_argument("--folder", type=Path, help="where the indexes are made and kept (default: a temporary folder)")
    args = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n"
    )
    written, searched = [], []
    with tempfile.TemporaryDirectory(prefix="muniment-scale-") as made:
        for chunks in args.chunks:
            place = (args.folder or Path(made)) / str(chunks)
            if not place.exists():
                written.append(_apart(write, place, chunks))
            searched.append(_apart(ask, place, chunks))
        if searched:
            print_written(written)
            print_searched(searched)
        print_indexed([index_repository(_new(Path(made) / f"docs-{count}"), count) for count in args.documents])
    return 0


def _new(place: Path) -> Path:
    place.mkdir()
    return place


def _apart(work: Callable[[Path, int], T], place: Path, chunks: int) -> T:
    """What the work returns, done in a process of its own: each one's peak of memory is its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as beside:
        return beside.submit(work, place, chunks).result()


def write(index: Path, chunks: int) -> Written:
    """Writes and publishes an index of so many chunks, then edits one document of it."""
    made = Made(chunks)
    index.parent.mkdir(parents=True, exist_ok=True)
    with open_writer(index) as writer:
        writer.begin("made", DIMENSION, beside=False)
        upsert_s, upsert_cpu = 0.0, 0.0
        for first in range(0, chunks, SLICE):
            documents, rows = made.slice(first, min(first + SLICE, chunks))
            began, cpu = time.perf_counter(), time.process_time()
            writer.upsert(documents, rows, _none(), [])
            upsert_s += time.perf_counter() - began
            upsert_cpu += time.process_time() - cpu
        began, cpu = time.perf_counter(), time.process_time()
        _publish(writer, chunks)
        seal_s, seal_cpu = time.perf_counter() - began, time.process_time() - cpu
        documents, rows = made.slice(0, 10, edition=2)
        began = time.perf_counter()
        writer.upsert(documents, rows, _none(), [str(one) for one in documents["doc_id"].to_pylist()])
        _publish(writer, chunks)
        edit_s = time.perf_counter() - began
        writer.reclaim(1)
    disk = sum(path.stat().st_size for path in index.rglob("*") if path.is_file()) / 1e6
    return Written(chunks, upsert_s, upsert_cpu, seal_s, seal_cpu, edit_s, disk, peak_mb(), os.getloadavg()[0])


def _none() -> pa.Table:
    return arrow_schema(SKIPPED).empty_table()


def _publish(writer: Writer, chunks: int) -> None:
    tables = writer.seal(1)
    state = SourceState("made", "/made", "git", False, "0" * 40, "", chunks // 10, chunks, {})
    now = datetime.now(UTC).isoformat(timespec="seconds")
    writer.publish(
        Generation(
            writer.number, now, SCHEMA_VERSION, "made", "made", "bundled", DIMENSION, 0, "", f"run-{writer.number}",
            tables, {"made": state},
        )
    )  # fmt: skip


def ask(index: Path, chunks: int) -> Searched:
    """Searches in one process that keeps the index open, as a server does."""
    made = Made(chunks)
    began = time.perf_counter()
    with open_reader(index) as reader:
        open_ms = (time.perf_counter() - began) * 1000
        opened = peak_mb()
        questions = [made.question(number) for number in range(QUESTIONS)]
        embedder = Remembering(dict(questions))
        ms, cpu = {}, {}
        for kind, asked in _kinds(questions):
            _timed(reader, asked[:20], embedder)
            times, spent = _timed(reader, asked, embedder)
            ms[kind] = (float(np.percentile(times, 50)), float(np.percentile(times, 95)))
            cpu[kind] = spent
        recall = _recall(reader, [vector for _, vector in questions[:EXACT]])
    return Searched(chunks, ms, cpu, recall, open_ms, opened, peak_mb(), os.getloadavg()[0])


def _kinds(questions: list[tuple[str, np.ndarray]]) -> Iterator[tuple[str, list[Question]]]:
    words = [text for text, _ in questions]
    yield "lexical", [Question(text, mode="lexical") for text in words]
    yield "hybrid", [Question(text) for text in words]
    yield "hybrid, one section", [Question(text, within=Filter(sections=("Part 3",))) for text in words[:PAIRS]]


def _timed(reader: Reader, asked: list[Question], embedder: Remembering) -> tuple[list[float], float]:
    """Milliseconds of each search, and of CPU of one on average."""
    times, cpu = [], time.process_time()
    for question in asked:
        began = time.perf_counter()
        search(reader, question, embedder)
        times.append((time.perf_counter() - began) * 1000)
    return times, (time.process_time() - cpu) * 1000 / len(asked)


def _recall(reader: Reader, vectors: list[np.ndarray]) -> float:
    """Share of the exact ten nearest that the reader finds among its ten nearest."""
    table = reader._tables.table("chunks")
    found = 0
    for vector in vectors:
        exact: Any = table.search(vector, vector_column_name="vector")
        exact = exact.distance_type("dot").bypass_vector_index()
        wanted = set(exact.limit(10).select(["chunk_id", "_distance"]).to_arrow()["chunk_id"].to_pylist())
        found += len(wanted & set(reader.nearest(vector, Filter(), 10, ["chunk_id"])["chunk_id"].to_pylist()))
    return found / (10 * len(vectors))


def peak_mb() -> float:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_written(rows: list[Written]) -> None:
    """The table of what writing cost."""
    print("| chunks | upsert, s (CPU) | indexes, s (CPU) | one edited document, s | disk, MB | peak RSS, MB | load |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(
            f"| {row.chunks:,} | {row.upsert_s:.1f} ({row.upsert_cpu_s:.1f}) |"
            f" {row.seal_s:.1f} ({row.seal_cpu_s:.1f}) |"
            f" {row.edit_s:.2f} | {row.disk_mb:,.0f} | {row.peak_mb:,.0f} | {row.load:.1f} |"
        )
    print()


def print_searched(rows: list[Searched]) -> None:
    """The table of what searching cost."""
    kinds = list(rows[0].ms)
    print(f"| chunks | {' | '.join(f'{kind}, ms p50 / p95 (CPU)' for kind in kinds)} | recall@10 | open, ms |"
          " RSS when open, MB | peak RSS, MB | load |")  # fmt: skip
    print("| --- |" + " --- |" * (len(kinds) + 5))
    for row in rows:
        shown = [f"{row.ms[kind][0]:.1f} / {row.ms[kind][1]:.1f} ({row.cpu_ms[kind]:.1f})" for kind in kinds]
        print(
            f"| {row.chunks:,} | {' | '.join(shown)} | {row.recall:.3f} | {row.open_ms:.0f} | {row.opened_mb:,.0f} |"
            f" {row.peak_mb:,.0f} | {row.load:.1f} |"
        )


if __name__ == "__main__":
    raise SystemExit(main())
