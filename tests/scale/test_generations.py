"""Generations are the same to a reader wherever they lie: in a folder, or in a bucket."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from muniment.errors import NoIndex, UsageError
from muniment.store.bucket import BucketChoice
from muniment.store.generations import FolderGenerations, Generations
from muniment.store.in_place import BucketGenerations
from muniment.store.kept import KeptReaders
from muniment.store.reader import Filter, Reader
from muniment.store.resident import COLD_READS
from muniment.store.shared import push_generation
from muniment.store.writer import open_writer
from schemas.columns import CHUNKS, DOCUMENTS, SKIPPED, arrow_schema
from schemas.generations import SourceState
from tests.muniment.store.test_resident import asked, published, some_texts
from tests.muniment.store.test_store import chunk, document, generation

pytestmark = pytest.mark.slow


@pytest.fixture(params=["folder", "bucket"])
def generations(request: pytest.FixtureRequest, tmp_path: Path, choice: BucketChoice) -> Generations:
    """Each member of the seam, of the index in `tmp_path`."""
    return FolderGenerations(tmp_path) if request.param == "folder" else BucketGenerations(choice)


@pytest.fixture
def two(tmp_path: Path, choice: BucketChoice) -> None:
    """Two generations, pushed."""
    for run in ("first", "second"):
        published(tmp_path, {**some_texts(), f"the {run} heron": [1.0, 0.0, 0.0, 0.0]}, run=run)
        push_generation(choice, tmp_path)


def herons(reader: Reader) -> list[str]:
    found = reader.match("heron", Filter(), 9, ["text"])["text"].to_pylist()
    return [str(text) for text in found]


def test_where_nothing_was_published_there_is_no_index(generations: Generations) -> None:
    with pytest.raises(NoIndex):
        generations.current()
    with pytest.raises(NoIndex), generations.open():
        pass


@pytest.mark.usefixtures("two")
def test_the_newest_is_current_and_both_are_kept(generations: Generations) -> None:
    assert generations.current().number == 2
    assert [one.number for one in generations.kept()] == [2, 1]
    with generations.open() as reader:
        assert herons(reader) == ["the second heron"]


@pytest.mark.usefixtures("two")
def test_an_earlier_one_is_opened_by_its_number(generations: Generations) -> None:
    with generations.open(1) as reader:
        assert (reader.generation.number, herons(reader)) == (1, ["the first heron"])
    with pytest.raises(UsageError, match="generation 9 is not kept"), generations.open(9):
        pass


def test_one_that_was_published_since_is_opened_by_its_number(
    generations: Generations, tmp_path: Path, choice: BucketChoice, two: None
) -> None:
    assert generations.current().number == 2
    published(tmp_path, {"the third heron": [1.0, 0.0, 0.0, 0.0]}, run="third")
    push_generation(choice, tmp_path)
    with generations.open(3) as reader:
        assert herons(reader) == ["the third heron"]


@pytest.mark.usefixtures("two")
def test_words_and_vectors_find_the_same(generations: Generations, tmp_path: Path) -> None:
    """By LanceDB at first, and from memory later on."""
    with FolderGenerations(tmp_path).open() as here, generations.open() as there:
        for _ in range(COLD_READS + 1):
            wanted, found = asked(here), asked(there)
            assert found[0] == wanted[0]
            assert [row["chunk_id"] for row in found[1]] == [row["chunk_id"] for row in wanted[1]]
        within = Filter(doc_ids=("a.md",))
        near = there.nearest(np.array([1, 0, 0, 0], np.float32), within, 1, ["text"])
        assert near["text"].to_pylist() == ["the second heron"]


def test_sensitive_rows_are_withheld(generations: Generations, tmp_path: Path, choice: BucketChoice) -> None:
    rows = [
        chunk("a.md", 0, "an open heron", sensitivity=""),
        chunk("b.md", 0, "a hidden heron", sensitivity="restricted"),
    ]
    with open_writer(tmp_path) as writer:
        writer.begin("none", 0, beside=True)
        documents = [document("a.md") | {"sensitivity": ""}, document("b.md") | {"sensitivity": "restricted"}]
        plain = [{name: value for name, value in row.items() if name != "vector"} for row in rows]
        writer.upsert(
            pa.Table.from_pylist(documents, arrow_schema(DOCUMENTS)),
            pa.Table.from_pylist(plain, arrow_schema(CHUNKS, 0)),
            arrow_schema(SKIPPED).empty_table(),
            (),
        )
        papers = SourceState("ops", "/x", "archive", False, "", "d", 1, 1, {}, {"restricted": 1}, 1)
        writer.publish(generation(writer, sources={"ops": papers}))
    push_generation(choice, tmp_path)
    with generations.open() as reader:
        assert herons(reader) == ["an open heron"]
    with generations.open(admit_sensitive=True) as reader:
        assert sorted(herons(reader)) == ["a hidden heron", "an open heron"]


@pytest.mark.usefixtures("two")
def test_readers_are_kept_open(generations: Generations) -> None:
    kept = KeptReaders(generations)
    with kept.open() as first, kept.open() as again, kept.open(1) as earlier:
        assert first is again
        assert earlier.generation.number == 1
    kept.let_go()
    kept.close()
