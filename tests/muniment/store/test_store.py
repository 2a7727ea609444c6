"""The tables with real LanceDB: upserts, publication, roll-back, search and what is reclaimed."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from muniment.errors import Busy, DiskFull, ForeignIndex, IndexMismatch, ReadOnly
from muniment.generation import publish, read_current
from muniment.store.cache import SLACK
from muniment.store.faults import lance_error
from muniment.store.reader import Filter, open_reader
from muniment.store.writer import Writer, open_writer, write_lock
from schemas.columns import CHUNKS, DOCUMENTS, SKIPPED, arrow_schema
from schemas.generations import Generation, SourceState
from schemas.versions import SCHEMA_VERSION

DIMENSION = 4
NO_SKIPS = arrow_schema(SKIPPED).empty_table()
COLUMNS = ["chunk_id", "path", "text"]


def generation(writer: Writer, **changes: Any) -> Generation:
    made = Generation(
        number=writer.number,
        published_at="2026-01-01T00:00:00+00:00",
        schema=SCHEMA_VERSION,
        fingerprint="f",
        chunker="c",
        embedder="x",
        dimension=writer.dimension,
        pending=0,
        pending_reason="",
        run="r",
        tables=writer.seal(2),
        sources={"ops": SourceState("ops", "/x", "git", False, "abc", "d", *writer.count(), {})},
    )
    return made._replace(**changes)


def document(path: str, chunks: int = 1) -> dict[str, Any]:
    filled = {"string": "x", "int32": 0, "int64": 0, "timestamp": 0}
    row = {column.name: filled[column.type] for column in DOCUMENTS}
    return row | {"doc_id": path, "path": path, "source": "ops", "chunk_count": chunks}


def chunk(path: str, ordinal: int, text: str, vector: list[float] | None = None, **changes: Any) -> dict[str, Any]:
    filled = {"string": "x", "int32": 1, "vector": None}
    row = {column.name: filled[column.type] for column in CHUNKS}
    own = {"chunk_id": f"{path}#{ordinal}", "doc_id": path, "path": path, "source": "ops", "text": text, "terms": text}
    return row | own | {"embed_hash": f"h:{text}", "vector": vector} | changes


def upsert(writer: Writer, files: dict[str, list[str]], replaced: tuple[str, ...] = ()) -> None:
    documents = [document(path, len(texts)) for path, texts in files.items()]
    chunks = [chunk(path, place, text) for path, texts in files.items() for place, text in enumerate(texts)]
    writer.upsert(
        pa.Table.from_pylist(documents, arrow_schema(DOCUMENTS)),
        pa.Table.from_pylist(chunks, arrow_schema(CHUNKS, writer.dimension)),
        NO_SKIPS,
        replaced,
    )


def published(
    index: Path, files: dict[str, list[str]], replaced: tuple[str, ...] = (), *, beside: bool = False
) -> None:
    with open_writer(index) as writer:
        writer.begin("model", DIMENSION, beside=beside)
        upsert(writer, files, replaced)
        writer.publish(generation(writer))
        writer.reclaim(2)


def texts(index: Path) -> list[str]:
    with open_reader(index) as reader:
        return sorted(str(row["text"]) for row in reader.chunks(["text"]).to_pylist())


def test_reads_what_was_published(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one", "two"], "b.md": ["three"]})
    assert texts(tmp_path) == ["one", "three", "two"]


def test_a_shortened_file_keeps_only_its_new_chunks(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": [f"part {n}" for n in range(6)], "b.md": ["other"]})
    published(tmp_path, {"a.md": ["part 0", "part x"]}, ("a.md",))
    assert texts(tmp_path) == ["other", "part 0", "part x"]


def test_a_deleted_file_leaves_nothing(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"], "b.md": ["two"]})
    published(tmp_path, {}, ("a.md",))
    assert texts(tmp_path) == ["two"]


def test_one_known_id_among_new_ones_is_no_trouble(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["old"]})
    published(tmp_path, {"a.md": ["new"]} | {f"{n}.md": [f"text {n}"] for n in range(99)}, ("a.md",))
    assert len(texts(tmp_path)) == 100


def test_an_id_with_a_quote_matches_only_itself(tmp_path: Path) -> None:
    hostile = "x' OR '1'='1"
    published(tmp_path, {"a.md": ["one"], hostile: ["two"]})
    published(tmp_path, {}, (hostile,))
    assert texts(tmp_path) == ["one"]


def test_two_rows_with_one_key_are_refused(tmp_path: Path) -> None:
    twice = pa.Table.from_pylist([chunk("a.md", 0, "x"), chunk("a.md", 0, "y")], arrow_schema(CHUNKS, DIMENSION))
    with open_writer(tmp_path) as writer:
        writer.begin("model", DIMENSION, beside=False)
        with pytest.raises(ValueError, match="two rows with one chunk_id"):
            writer.upsert(arrow_schema(DOCUMENTS).empty_table(), twice, NO_SKIPS, ())


def test_what_was_not_published_is_rolled_back(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"]})
    with open_writer(tmp_path) as writer:
        writer.begin("model", DIMENSION, beside=False)
        upsert(writer, {"b.md": ["half done"]})
    assert texts(tmp_path) == ["one"]
    published(tmp_path, {"c.md": ["three"]})
    assert texts(tmp_path) == ["one", "three"]


def test_built_beside_holds_nothing_of_the_old(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["old"]})
    published(tmp_path, {"b.md": ["new"]}, beside=True)
    assert texts(tmp_path) == ["new"]


def test_a_reader_keeps_its_generation_while_it_is_replaced(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["old"]})
    with open_reader(tmp_path) as reader:
        for number in range(4):
            published(tmp_path, {f"{number}.md": [f"new {number}"]}, beside=number % 2 == 0)
        assert reader.chunks(["text"])["text"].to_pylist() == ["old"]
        assert reader.match("old", Filter(), 5, COLUMNS)["text"].to_pylist() == ["old"]


def test_tables_nobody_needs_are_dropped(tmp_path: Path) -> None:
    for number in range(5):
        published(tmp_path, {f"{number}.md": ["text"]}, beside=True)
    kept = {path.name for path in (tmp_path / "tables").iterdir() if path.name.startswith("chunks_")}
    assert kept == {"chunks_00000004.lance", "chunks_00000005.lance"}


def test_disk_stays_bounded_over_many_runs(tmp_path: Path) -> None:
    def size() -> int:
        return sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())

    published(tmp_path, {f"{n}.md": [f"text {n} " + "word " * 50] for n in range(300)})
    sizes = []
    for number in range(24):
        published(tmp_path, {"0.md": [f"changed {number}"]}, ("0.md",))
        sizes.append(size())
    # It goes up and down by versions that are just being let go; were none let go, it would be five times as much.
    assert max(sizes[12:]) <= 1.5 * max(sizes[:12])


def test_words_are_found_after_every_publication(tmp_path: Path) -> None:
    for number in range(3):
        published(tmp_path, {f"{number}.md": [f"mover stops after number{number}"]})
    with open_reader(tmp_path) as reader:
        found = reader.match("number0 number2", Filter(), 5, COLUMNS)
    assert sorted(map(str, found["path"].to_pylist())) == ["0.md", "2.md"]


@pytest.mark.parametrize(
    "words", ["", "the", '"quoted" part', "a/b.sh --flag ${V} KEY=1 C++", "日本", "x" * 2000, "*(:^~\\"]
)
def test_any_words_are_a_query(tmp_path: Path, words: str) -> None:
    published(tmp_path, {"a.md": ["a quoted flag in b.sh"]})
    with open_reader(tmp_path) as reader:
        assert reader.match(words, Filter(), 5, COLUMNS).num_rows <= 1


def test_nearest_passes_over_chunks_without_a_vector(tmp_path: Path) -> None:
    rows = [
        chunk("a.md", 0, "near", [1.0, 0, 0, 0]),
        chunk("a.md", 1, "far", [0, 1.0, 0, 0]),
        chunk("a.md", 2, "pending"),
    ]
    with open_writer(tmp_path) as writer:
        writer.begin("model", DIMENSION, beside=False)
        table = pa.Table.from_pylist(rows, arrow_schema(CHUNKS, DIMENSION))
        writer.upsert(pa.Table.from_pylist([document("a.md", 3)], arrow_schema(DOCUMENTS)), table, NO_SKIPS, ())
        assert writer.pending(["text"])["text"].to_pylist() == ["pending"]
        writer.publish(generation(writer))
    with open_reader(tmp_path) as reader:
        found = reader.nearest(np.array([1, 0, 0, 0], np.float32), Filter(), 5, COLUMNS)
    assert found["text"].to_pylist() == ["near", "far"]
    assert found["_distance"].to_pylist() == pytest.approx([0.0, 1.0], abs=1e-6)


def test_filters_are_applied_inside_the_search(tmp_path: Path) -> None:
    """Fifty better matches of another kind must not push the only admitted one out of a short list."""
    rows = [chunk("a.md", n, "mover mover mover", kind="doc") for n in range(50)]
    rows.append(chunk("b.sh", 0, "the mover and many other words beside it", kind="header", section="PURPOSE"))
    with open_writer(tmp_path) as writer:
        writer.begin("model", 0, beside=False)
        table = pa.Table.from_pylist(rows, arrow_schema(CHUNKS))
        writer.upsert(
            pa.Table.from_pylist([document("a.md"), document("b.sh")], arrow_schema(DOCUMENTS)), table, NO_SKIPS, ()
        )
        writer.publish(generation(writer))
    with open_reader(tmp_path) as reader:
        for within in (Filter(kinds=("header",)), Filter(sections=("purpose",)), Filter(doc_ids=("b.sh",))):
            assert reader.match("mover", within, 1, COLUMNS)["path"].to_pylist() == ["b.sh"]
        assert reader.match("mover", Filter(doc_ids=()), 1, COLUMNS).num_rows == 0
        assert reader.match("mover", Filter(sources=("x' OR '1'='1",)), 1, COLUMNS).num_rows == 0


def test_vectors_are_remembered_across_rebuilds(tmp_path: Path) -> None:
    vectors = np.eye(DIMENSION, dtype=np.float32)
    with open_writer(tmp_path) as writer:
        writer.begin("model", DIMENSION, beside=False)
        writer.remember(["h1", "h2"], vectors[:2])
    with open_writer(tmp_path) as writer:
        writer.begin("model", DIMENSION, beside=True)
        known = writer.cached(pa.array(["h2", "h3"]))
        assert known["embed_hash"].to_pylist() == ["h2"]
        assert known["vector"].to_pylist() == [vectors[1].tolist()]
    with open_writer(tmp_path) as writer:
        writer.begin("another model", DIMENSION, beside=True)
        assert writer.cached(pa.array(["h1"])).num_rows == 0


def test_the_vector_cache_does_not_grow_for_ever(tmp_path: Path) -> None:
    many = [f"h{n}" for n in range(SLACK + 100)]
    with open_writer(tmp_path) as writer:
        writer.begin("model", DIMENSION, beside=False)
        upsert(writer, {"a.md": ["7"]})
        writer.remember(["h:7", *many], np.tile(np.eye(DIMENSION, dtype=np.float32)[0], (len(many) + 1, 1)))
        writer.publish(generation(writer))
        writer.reclaim(2)
        assert writer.cached(pa.array(["h:7", *many]))["embed_hash"].to_pylist() == ["h:7"]


def _hold_lock(index: Path, holding: Any, done: Any) -> None:
    with write_lock(index):
        holding.set()
        done.wait(60)


def test_a_second_writer_is_told_that_it_is_busy(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    holding, done = spawn.Event(), spawn.Event()
    other = spawn.Process(target=_hold_lock, args=(tmp_path, holding, done))
    other.start()
    assert holding.wait(60)
    with pytest.raises(Busy), write_lock(tmp_path):
        pass
    other.kill()  # and the kernel frees the lock with the process
    other.join(60)
    with write_lock(tmp_path):
        pass


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.odt").write_text("mine")
    with pytest.raises(ForeignIndex, match=r"thesis\.odt"), write_lock(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.odt"]


def test_a_newer_index_is_refused(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"]})
    current = read_current(tmp_path)
    assert current
    publish(tmp_path, current._replace(schema=SCHEMA_VERSION + 1))
    with pytest.raises(IndexMismatch, match=f"schema {SCHEMA_VERSION + 1}"), open_reader(tmp_path):
        pass


def test_a_lost_table_is_named(tmp_path: Path) -> None:
    published(tmp_path, {"a.md": ["one"]})
    for path in (tmp_path / "tables" / "chunks_00000001.lance").rglob("*.manifest"):
        path.unlink()
    with pytest.raises(ForeignIndex), open_reader(tmp_path):
        pass


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("lance error: No space left on device (os error 28)", DiskFull),
        ("Read-only file system (os error 30)", ReadOnly),
        ("Permission denied (os error 13)", ReadOnly),
        ("Not found: /x/data/y.lance", ForeignIndex),
    ],
)
def test_what_the_store_says_gets_a_name(said: str, kind: type[Exception]) -> None:
    assert isinstance(lance_error(RuntimeError(said)), kind)
