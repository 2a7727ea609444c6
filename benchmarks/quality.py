"""`make bench-quality`: what checking 100,000 chunks costs, in every index run and in the nightly one."""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from pyarrow import feather

from schemas.columns import TABLES, arrow_schema
from schemas.expectations import Limits, expectations
from tasks.embed import embed_hash
from tasks.identify import chunk_id, doc_id, text_hash
from tasks.quality.check import check, check_before_publish
from tasks.quality.measures import Facts, measure

DIMENSION = 384
CHUNKS_EACH = 10
WORDS = "the mover carries cold files from the cache tier to the array once an hour unless somebody reads them".split()  # noqa: SIM905
T = TypeVar("T")


class Row(NamedTuple):
    """One line of the table."""

    what: str
    seconds: float
    cpu_s: float
    peak_mb: float


def main() -> int:
    """Measures and prints a Markdown table."""
    parser = argparse.ArgumentParser(prog="make bench-quality", description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000, help="rows of the chunks table (default: 100000)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, get_context("spawn").Pool(1) as beside:
        # In a process of its own: making the tables takes more memory than checking them.
        names = beside.apply(write_tables, (Path(folder), args.chunks))
        tables = {name: feather.read_table(Path(folder) / name, memory_map=False) for name in names}
    facts = Facts(datetime.now(UTC), DIMENSION)
    wanted = expectations(Limits(max_tokens=256))
    rows = [Row("tables in memory, nothing checked yet", 0.0, 0.0, peak_mb())]

    def timed(what: str, work: Callable[[], T]) -> T:
        began, cpu = time.perf_counter(), time.process_time()
        done = work()
        rows.append(Row(what, time.perf_counter() - began, time.process_time() - cpu, peak_mb()))
        return done

    changed = invented_tables(CHUNKS_EACH * 5)
    timed("blocking expectations, 5 changed documents", lambda: check_before_publish(changed, facts))
    timed("blocking expectations, all rows", lambda: check_before_publish(tables, facts))
    measured = timed("measures, all rows", lambda: measure(tables, facts))
    quick = timed("all expectations with Arrow", lambda: check(measured, wanted))
    timed("import of Great Expectations", lambda: import_module("great_expectations"))
    from tasks.quality.validate import validate

    found = timed(
        "all expectations with Great Expectations, and its pages", lambda: validate(measured, wanted, docs=True)
    )
    print(f"{args.chunks} chunks, {datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores\n")
    print("| what | seconds | of CPU | peak RSS by then, MB |\n| --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row.what} | {row.seconds:.2f} | {row.cpu_s:.2f} | {row.peak_mb:.0f} |")
    return 0 if list(found.outcomes) == quick and all(one.ok for one in quick) else 1


def write_tables(folder: Path, chunks: int) -> list[str]:
    """Writes the invented tables, and returns their names."""
    tables = invented_tables(chunks)
    for name, table in tables.items():
        feather.write_feather(table, folder / name, compression="uncompressed")
    return list(tables)


def peak_mb() -> float:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def invented_tables(chunks: int) -> dict[str, pa.Table]:
    """Documents and chunks in which every expectation holds."""
    random = np.random.default_rng(7)
    rows = [_chunk(number, random) for number in range(chunks)]
    paths = list(dict.fromkeys(row["path"] for row in rows))
    documents = pa.Table.from_pylist([_document(str(path)) for path in paths], arrow_schema(TABLES["documents"]))
    without = pa.Table.from_pylist(rows, arrow_schema(TABLES["chunks"]))
    vectors = random.standard_normal((chunks, DIMENSION), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    field = arrow_schema(TABLES["chunks"], DIMENSION).field("vector")
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), type=field.type)
    return {"documents": documents, "chunks": without.append_column(field, column)}


def _document(path: str) -> dict[str, object]:
    digest = hashlib.sha256(path.encode()).hexdigest()
    return {
        "doc_id": doc_id("bench", path),
        "source": "bench",
        "path": path,
        "kind": "doc",
        "type": "doc",
        "title": path,
        "content_id": digest[:40],
        "sha256": digest,
        "size": 100_000,
        "mtime_ns": 0,
        "encoding": "utf-8",
        "chunk_count": CHUNKS_EACH,
        "indexed_at": datetime(2026, 1, 1, tzinfo=UTC),
    }


def _chunk(number: int, random: np.random.Generator) -> dict[str, object]:
    path, place = f"docs/{number // CHUNKS_EACH:06d}.md", number % CHUNKS_EACH
    words = random.choice(WORDS, 120).tolist()
    text = "\n".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12)) + f" {number}"
    context = f"Document {number // CHUNKS_EACH} > Part {place}"
    first = place * 12 + 1
    return {
        "chunk_id": chunk_id("bench", path, (f"Part {place}",), 0),
        "doc_id": doc_id("bench", path),
        "source": "bench",
        "path": path,
        "kind": "doc",
        "type": "doc",
        "section": f"Part {place}",
        "title": f"Part {place}",
        "heading_path": f"Part {place}",
        "ordinal": 0,
        "line_start": first,
        "line_end": first + text.count("\n"),
        "text": text,
        "text_hash": text_hash(text),
        "context": context,
        "embed_hash": embed_hash(context, text),
        "terms": f"{path} {context} {text}",
        "tokens": 150,
    }


if __name__ == "__main__":
    raise SystemExit(main())
