"""The vector index of a large table: the nearest are found, and a filter leaves none of what it admits out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from muniment.store.reader import Filter, open_reader
from muniment.store.writer import open_writer
from schemas.columns import CHUNKS, DOCUMENTS, SKIPPED, arrow_schema
from schemas.generations import Generation, SourceState
from schemas.versions import SCHEMA_VERSION

ROWS = 200_000
"""LanceDB cuts such a table into more parts than it looks through by itself."""
WIDTH = 8
EACH = 10


def chunks(vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> pa.Table:
    schema = arrow_schema(CHUNKS, WIDTH)
    numbers = np.arange(ROWS)
    made: dict[str, Any] = {
        "chunk_id": pa.array([f"c{number}" for number in numbers]),
        "doc_id": pa.array([f"d{number // EACH}" for number in numbers]),
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), type=schema.field("vector").type),
    }
    for field in schema:
        if field.name not in made:
            value = "x" if pa.types.is_string(field.type) else 1
            made[field.name] = pa.array([value] * ROWS, field.type)
    return pa.table(made, schema=schema)


@pytest.mark.slow
def test_a_filter_finds_all_it_admits(tmp_path: Path) -> None:
    """Wherever in the index it lies: also far from what is asked for."""
    vectors = np.random.default_rng(7).standard_normal((ROWS, WIDTH), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    empty = [arrow_schema(columns).empty_table() for columns in (DOCUMENTS, SKIPPED)]
    with open_writer(tmp_path / "index") as writer:
        writer.begin("made", WIDTH, beside=False)
        writer.upsert(empty[0], chunks(vectors), empty[1], [])
        state = SourceState("made", "/made", "git", False, "0" * 40, "", ROWS // EACH, ROWS, {})
        tables = writer.seal(1)
        made = {"made": state}
        writer.publish(
            Generation(1, "2026-01-01", SCHEMA_VERSION, "made", "made", "none", WIDTH, 0, "", "r", tables, made)
        )  # fmt: skip
    asked = vectors[0]
    document = int((vectors @ asked).argmin()) // EACH
    with open_reader(tmp_path / "index") as reader:
        found = reader.nearest(asked, Filter(doc_ids=(f"d{document}",)), 100, ["chunk_id"])
        assert sorted(map(str, found["chunk_id"].to_pylist())) == [
            f"c{document * EACH + place}" for place in range(EACH)
        ]
        nearest = reader.nearest(asked, Filter(), 10, ["chunk_id"])["chunk_id"].to_pylist()
        exact = {f"c{place}" for place in np.argsort(-(vectors @ asked))[:10]}
        assert len(exact & set(nearest)) >= 9
