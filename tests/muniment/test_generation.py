"""The pointer, its history and the reader's hold on a generation."""

import fcntl
import hashlib
import json
import multiprocessing
from pathlib import Path

import pytest

from muniment.errors import ForeignIndex, IndexMismatch, NoIndex, UsageError
from muniment.generation import held_generation, kept_generations, publish, read_current, reclaim
from schemas.generations import Generation, SourceState, TableVersion, as_json

FIRST = Generation(
    number=1,
    published_at="2026-01-01T00:00:00+00:00",
    schema=1,
    fingerprint="f",
    chunker="c",
    embedder="none",
    dimension=0,
    pending=0,
    pending_reason="",
    run="r",
    tables={"chunks": TableVersion("chunks_1", 3)},
    sources={"ops": SourceState("ops", "/x", "git", False, "abc", "digest", 2, 5, {"empty": 1})},
)


def test_nothing_is_current_before_the_first(tmp_path: Path) -> None:
    assert read_current(tmp_path) is None


def test_reads_back_what_was_published(tmp_path: Path) -> None:
    publish(tmp_path, FIRST)
    assert read_current(tmp_path) == FIRST


def test_publishing_replaces_the_current(tmp_path: Path) -> None:
    publish(tmp_path, FIRST)
    second = FIRST._replace(number=2)
    publish(tmp_path, second)
    assert read_current(tmp_path) == second
    assert not list(tmp_path.rglob("*.new"))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": "other"}', '{"format": "muniment-index", "number": 1}', "\xff"]
)
def test_a_torn_pointer_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "current.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ForeignIndex) as caught:
        read_current(tmp_path)
    assert "current.json" in caught.value.message
    assert caught.value.hint


def test_holding_without_an_index_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoIndex), held_generation(tmp_path):
        pass


def test_keeps_the_newest_and_forgets_the_rest(tmp_path: Path) -> None:
    for number in range(1, 6):
        publish(tmp_path, FIRST._replace(number=number))
    assert [kept.number for kept in reclaim(tmp_path, 2)] == [5, 4]
    assert [kept.number for kept in reclaim(tmp_path, 2)] == [5, 4]


def _hold(index: Path, holding: "multiprocessing.synchronize.Event", done: "multiprocessing.synchronize.Event") -> None:
    with held_generation(index):
        holding.set()
        done.wait(60)


def test_a_generation_another_process_reads_is_kept(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    holding, done = spawn.Event(), spawn.Event()
    publish(tmp_path, FIRST)
    reader = spawn.Process(target=_hold, args=(tmp_path, holding, done))
    reader.start()
    assert holding.wait(60)
    for number in (2, 3, 4):
        publish(tmp_path, FIRST._replace(number=number))
    assert [kept.number for kept in reclaim(tmp_path, 1)] == [4, 1]
    done.set()
    reader.join(60)
    assert [kept.number for kept in reclaim(tmp_path, 1)] == [4]


def test_a_dead_reader_holds_nothing(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    holding, done = spawn.Event(), spawn.Event()
    publish(tmp_path, FIRST)
    reader = spawn.Process(target=_hold, args=(tmp_path, holding, done))
    reader.start()
    assert holding.wait(60)
    publish(tmp_path, FIRST._replace(number=2))
    reader.kill()
    reader.join(60)
    assert [kept.number for kept in reclaim(tmp_path, 1)] == [2]


def test_an_earlier_generation_is_held_by_its_number(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        publish(tmp_path, FIRST._replace(number=number))
    with held_generation(tmp_path, 1) as generation:
        assert generation == FIRST
        assert [kept.number for kept in reclaim(tmp_path, 1)] == [3, 1]
    assert [kept.number for kept in reclaim(tmp_path, 1)] == [3]
    assert [kept.number for kept in kept_generations(tmp_path)] == [3]


@pytest.mark.parametrize("number", [0, -1, 1, 4])
def test_a_number_that_is_not_kept_is_told_from_those_that_are(tmp_path: Path, number: int) -> None:
    for published in (1, 2, 3):
        publish(tmp_path, FIRST._replace(number=published))
    reclaim(tmp_path, 2)
    with pytest.raises(UsageError) as caught, held_generation(tmp_path, number):
        pass
    assert (caught.value.message, caught.value.hint.partition(";")[0]) == (
        f"generation {number} is not kept",
        "kept are: 3, 2",
    )


def test_a_read_only_file_can_be_held(tmp_path: Path) -> None:
    publish(tmp_path, FIRST)
    (tmp_path / "generations" / "00000001.json").chmod(0o444)
    with held_generation(tmp_path) as generation, (tmp_path / "generations" / "00000001.json").open() as other:
        assert generation == FIRST
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_lost_history_file_is_named(tmp_path: Path) -> None:
    publish(tmp_path, FIRST)
    (tmp_path / "generations" / "00000001.json").unlink()
    with pytest.raises(ForeignIndex, match="has lost generation 1"), held_generation(tmp_path):
        pass


def test_the_pointer_is_json_that_a_person_can_read(tmp_path: Path) -> None:
    publish(tmp_path, FIRST)
    shown = json.loads((tmp_path / "current.json").read_text())
    assert shown["format"] == "muniment-index"
    assert shown["tables"]["chunks"] == {"name": "chunks_1", "version": 3}


def test_a_generation_that_was_never_published_keeps_none_from_staying(tmp_path: Path) -> None:
    """Its run was killed between the two files."""
    publish(tmp_path, FIRST)
    pointer = (tmp_path / "current.json").read_bytes()
    publish(tmp_path, FIRST._replace(number=2))
    (tmp_path / "current.json").write_bytes(pointer)
    assert [kept.number for kept in reclaim(tmp_path, 1)] == [1]
    with held_generation(tmp_path) as generation:
        assert generation == FIRST


def test_one_that_a_newer_muniment_wrote_is_told_from_a_torn_one(tmp_path: Path) -> None:
    values = {"format": "muniment-index", **as_json(FIRST), "colour": "blue"}
    values["sum"] = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
    (tmp_path / "current.json").write_text(json.dumps(values))
    with pytest.raises(IndexMismatch, match="newer muniment") as caught:
        read_current(tmp_path)
    assert not isinstance(caught.value, ForeignIndex)


@pytest.mark.parametrize("piece", ['"number": 1', '"version": 3', '"documents": 2', '"dimension": 0'])
def test_a_changed_digit_in_the_pointer_is_noticed(tmp_path: Path, piece: str) -> None:
    publish(tmp_path, FIRST)
    pointer = tmp_path / "current.json"
    assert piece in pointer.read_text()
    pointer.write_text(pointer.read_text().replace(piece, piece[:-1] + "7"))
    with pytest.raises(ForeignIndex):
        read_current(tmp_path)


def test_a_torn_earlier_generation_is_in_nobodys_way(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        publish(tmp_path, FIRST._replace(number=number))
    (tmp_path / "generations" / "00000002.json").write_text("{")
    assert [kept.number for kept in kept_generations(tmp_path)] == [3, 1]
    assert [kept.number for kept in reclaim(tmp_path, 2)] == [3]
