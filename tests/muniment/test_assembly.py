"""The assembly log: whole lines, whoever writes beside, whoever is killed, and no text."""

import json
import multiprocessing
import os
import signal
import stat
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.assembly import (
    Assembly,
    Gathered,
    find_assembly,
    make_assembly,
    read_lines,
    record_assembly,
    record_feedback,
)
from muniment.errors import UsageError

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
FOUND = [Gathered(f"chunk{n}", "header", "header", "PURPOSE", n) for n in (1, 2)]


def searched(generation: int, gathered: Sequence[Gathered] = FOUND, at: datetime = NOON) -> Assembly:
    return make_assembly(at, "search", "cli", generation=generation, elapsed_ms=1, gathered=gathered)


def lines(home: Path) -> list[Any]:
    return [json.loads(line) for path in sorted((home / "log").iterdir()) for line in path.read_text().splitlines()]


def test_an_assembly_is_one_line_of_its_day(tmp_path: Path) -> None:
    assembly = make_assembly(
        NOON, "ask", "cli", generation=7, elapsed_ms=12.34, gathered=FOUND, used=["chunk2"], outcome="answered"
    )
    assert record_assembly(tmp_path, assembly) == ""
    assert [path.name for path in (tmp_path / "log").iterdir()] == ["assembly-2026-03-14.jsonl"]
    (line,) = lines(tmp_path)
    assert line == {
        "assembly": assembly.assembly,
        "at": "2026-03-14T12:00:00.000+00:00",
        "act": "ask",
        "surface": "cli",
        "generation": 7,
        "elapsed_ms": 12.3,
        "chunk_ids": ["chunk1", "chunk2"],
        "kinds": ["header", "header"],
        "types": ["header", "header"],
        "sections": ["PURPOSE", "PURPOSE"],
        "ranks": [1, 2],
        "used": ["chunk2"],
        "outcome": "answered",
    }
    assert stat.S_IMODE((tmp_path / "log" / "assembly-2026-03-14.jsonl").stat().st_mode) == 0o600


def test_each_day_has_its_file(tmp_path: Path) -> None:
    for day in (14, 15):
        record_assembly(tmp_path, searched(1, [], NOON.replace(day=day)))
    assert len(list((tmp_path / "log").iterdir())) == 2


def test_feedback_is_added_to_a_known_assembly(tmp_path: Path) -> None:
    record_assembly(tmp_path, searched(1))
    with pytest.raises(UsageError, match="no assembly"):
        record_feedback(tmp_path, NOON, searched(1).assembly, ["chunk1"])
    known = searched(1)
    record_assembly(tmp_path, known)
    with pytest.raises(UsageError, match="did not gather chunk 'chunk9'"):
        record_feedback(tmp_path, NOON, known.assembly, ["chunk9"])
    record_feedback(tmp_path, NOON.replace(day=15), known.assembly, ["chunk1"])
    assert lines(tmp_path)[-1] == {
        "assembly": known.assembly,
        "at": "2026-03-15T12:00:00.000+00:00",
        "act": "feedback",
        "used": ["chunk1"],
    }
    assert len(lines(tmp_path)) == 3


@pytest.mark.parametrize("name", ["", "x", "../../etc/passwd", "20260314", "99999999-ffff", "20260314-000000000000"])
def test_an_unknown_id_finds_nothing(tmp_path: Path, name: str) -> None:
    record_assembly(tmp_path, searched(1))
    assert find_assembly(tmp_path, name) is None


def test_a_torn_line_costs_no_other(tmp_path: Path) -> None:
    record_assembly(tmp_path, searched(1))
    path = tmp_path / "log" / "assembly-2026-03-14.jsonl"
    with path.open("ab") as file:
        file.write(b'{"assembly": "20260314-00')
    last = searched(2)
    record_assembly(tmp_path, last)
    assert [record["generation"] for record in read_lines(path)] == [1, 2]
    assert find_assembly(tmp_path, last.assembly)


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("in the way")
    assert record_assembly(tmp_path, searched(1)) == "File exists"


def _write_many(home: Path, writer: int, count: int, go: Any) -> None:
    go.wait(60)
    many = [Gathered(f"{writer}-{n}-{'x' * 40}", "header", "header", "PURPOSE", n) for n in range(60)]
    for _ in range(count):
        record_assembly(home, searched(writer, many))


def test_writers_beside_each_other_tear_nothing(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    go = spawn.Event()
    writers = [spawn.Process(target=_write_many, args=(tmp_path, n, 100, go)) for n in range(3)]
    for writer in writers:
        writer.start()
    go.set()
    for writer in writers:
        writer.join(60)
    written = lines(tmp_path)
    assert sorted(line["generation"] for line in written) == [0] * 100 + [1] * 100 + [2] * 100
    assert len({line["assembly"] for line in written}) == 300


def test_a_killed_writer_leaves_whole_lines(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    go = spawn.Event()
    writer = spawn.Process(target=_write_many, args=(tmp_path, 1, 1_000_000, go))
    writer.start()
    go.set()
    log = tmp_path / "log" / "assembly-2026-03-14.jsonl"
    while writer.is_alive() and (not log.exists() or log.stat().st_size < 200_000):
        os.sched_yield()
    assert writer.pid
    os.kill(writer.pid, signal.SIGKILL)
    writer.join(60)
    record_assembly(tmp_path, searched(9))
    records = list(read_lines(log))
    assert records[-1]["generation"] == 9
    assert len(records) >= len(log.read_bytes().splitlines()) - 1
