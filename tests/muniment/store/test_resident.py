"""A table in memory answers as LanceDB does, and never for another version than its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from muniment.store.reader import Filter, Reader, open_reader
from muniment.store.resident import COLD_READS, MAX_ROWS, Key, resident
from muniment.store.writer import open_writer
from schemas.columns import CHUNKS, DOCUMENTS, SKIPPED, arrow_schema
from tests.muniment.store.test_store import DIMENSION, chunk, document, generation

COLUMNS = ["chunk_id", "path", "text"]
WORDS = ("mover", "copies", "cold", "files", "lock", "quiet")


def published(index: Path, texts: dict[str, list[float] | None], dimension: int = DIMENSION, run: str = "r") -> None:
    """A generation with one chunk for each text."""
    rows = [chunk("a.md", place, text, vector) for place, (text, vector) in enumerate(texts.items())]
    if not dimension:
        rows = [{name: value for name, value in row.items() if name != "vector"} for row in rows]
    with open_writer(index) as writer:
        writer.begin("model", dimension, beside=True)
        writer.upsert(
            pa.Table.from_pylist([document("a.md", len(rows))], arrow_schema(DOCUMENTS)),
            pa.Table.from_pylist(rows, arrow_schema(CHUNKS, dimension)),
            arrow_schema(SKIPPED).empty_table(),
            (),
        )
        writer.publish(generation(writer, run=run))


def some_texts() -> dict[str, list[float] | None]:
    """Sixty texts of a few words; each seventh waits for its vector."""
    random = np.random.default_rng(7)
    texts: dict[str, list[float] | None] = {}
    for number in range(60):
        vector = random.normal(size=DIMENSION)
        words = " ".join(random.choice(WORDS, 4))
        texts[f"{words} {number}"] = None if number % 7 == 0 else list(vector / np.linalg.norm(vector))
    return texts


def asked(reader: Reader) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    vector = np.array([0.5, -0.5, 0.5, 0.5], np.float32)
    found = reader.match("mover lock", Filter(), 9, COLUMNS), reader.nearest(vector, Filter(), 9, COLUMNS)
    assert [table.column_names for table in found] == [[*COLUMNS, "_score"], [*COLUMNS, "_distance"]]
    return found[0].to_pylist(), found[1].to_pylist()


def test_what_is_in_memory_answers_as_lancedb_does(tmp_path: Path) -> None:
    published(tmp_path, some_texts())
    with open_reader(tmp_path) as reader:
        cold = asked(reader)
        for _ in range(3):
            warm = asked(reader)
            assert warm[0] == cold[0]
            assert [row["chunk_id"] for row in warm[1]] == [row["chunk_id"] for row in cold[1]]
            distances = [np.array([row["_distance"] for row in rows]) for rows in (warm[1], cold[1])]
            assert np.abs(distances[0] - distances[1]).max() < 1e-6


def test_a_filter_holds_for_what_is_in_memory(tmp_path: Path) -> None:
    published(tmp_path, some_texts())
    with open_reader(tmp_path) as reader:
        for _ in range(COLD_READS + 1):
            asked(reader)
        nothing = Filter(kinds=("manual",))
        assert not reader.match("mover", nothing, 9, COLUMNS).num_rows
        assert not reader.nearest(np.ones(DIMENSION, np.float32), nothing, 9, COLUMNS).num_rows


def test_a_new_generation_is_not_answered_from_an_old_one(tmp_path: Path) -> None:
    for word in ("heron", "kestrel"):
        published(tmp_path, {f"the {word} sleeps": [1.0, 0.0, 0.0, 0.0]})
        with open_reader(tmp_path) as reader:
            for _ in range(COLD_READS + 2):
                (found,) = reader.match("sleeps", Filter(), 9, COLUMNS).to_pylist()
                assert found["text"] == f"the {word} sleeps"


def test_an_index_that_was_wiped_is_not_remembered(tmp_path: Path) -> None:
    for word in ("heron", "kestrel"):
        shutil.rmtree(tmp_path / "index", ignore_errors=True)
        published(tmp_path / "index", {f"the {word} sleeps": [1.0, 0.0, 0.0, 0.0]}, run=word)
        with open_reader(tmp_path / "index") as reader:
            for _ in range(COLD_READS + 2):
                (found,) = reader.match("sleeps", Filter(), 9, COLUMNS).to_pylist()
                assert found["text"] == f"the {word} sleeps"


def test_an_index_without_vectors_is_kept_in_memory_too(tmp_path: Path) -> None:
    published(tmp_path, some_texts(), dimension=0)
    with open_reader(tmp_path) as reader:
        cold, *warm = (reader.match("mover", Filter(), 9, COLUMNS).to_pylist() for _ in range(COLD_READS + 2))
        assert cold
        assert all(found == cold for found in warm)


def test_where_every_vector_is_pending_nothing_is_near(tmp_path: Path) -> None:
    published(tmp_path, dict.fromkeys(some_texts()))
    with open_reader(tmp_path) as reader:
        assert [asked(reader)[1] for _ in range(COLD_READS + 1)] == [[]] * (COLD_READS + 1)


def _not_loaded() -> pa.Table:
    raise AssertionError("loaded")


def test_the_first_reads_and_large_tables_load_nothing() -> None:
    small, large = Key("here", "r", "t", 1), Key("here", "r", "t", 2)
    assert [resident(small, 10, _not_loaded) for _ in range(COLD_READS)] == [None] * COLD_READS
    assert [resident(large, MAX_ROWS + 1, _not_loaded) for _ in range(9)] == [None] * 9
    with pytest.raises(AssertionError, match="loaded"):
        resident(small, 10, _not_loaded)
