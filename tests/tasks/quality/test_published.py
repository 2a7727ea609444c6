"""What is usual, by the run ledger, and whether an index is up to date with its source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tasks.quality.published import is_current, read_runs, usual_counts
from tests.conftest import commit_all, make_repo, write
from tests.tasks.quality.world import World


def record(runs: Path, name: str, documents: int, source: str = "ops", generation: int = 1) -> None:
    (runs / name).mkdir(parents=True)
    counts = {"name": source, "documents": documents, "chunks": documents * 10}
    run = {"run": name, "generation": generation, "sources": [counts]}
    (runs / name / "run.json").write_text(json.dumps(run))


def usual(runs: Path, world: World, run: str) -> dict[str, float]:
    return usual_counts(read_runs(runs), world.generation._replace(run=run), "ops")


def test_usual_is_the_median_of_the_runs_before(sound: World, tmp_path: Path) -> None:
    for day, documents in enumerate((10, 30, 20), start=1):
        record(tmp_path, f"2026010{day}T000000Z-aaaaaa", documents)
    record(tmp_path, "20260104T000000Z-aaaaaa", 999)
    record(tmp_path, "20260105T000000Z-aaaaaa", 999)
    assert usual(tmp_path, sound, "20260104T000000Z-aaaaaa") == {"documents": 20, "chunks": 200}


def test_only_the_last_ten_runs_count(sound: World, tmp_path: Path) -> None:
    for day in range(1, 22):
        record(tmp_path, f"202601{day:02}T000000Z-aaaaaa", 1 if day <= 10 else 50)
    assert usual(tmp_path, sound, "20260121T000000Z-aaaaaa") == {"documents": 50, "chunks": 500}


def test_runs_of_other_sources_say_nothing(sound: World, tmp_path: Path) -> None:
    record(tmp_path, "20260101T000000Z-aaaaaa", 10, source="other")
    assert usual(tmp_path, sound, "20260104T000000Z-aaaaaa") == {}


def test_a_torn_record_is_left_out(tmp_path: Path) -> None:
    record(tmp_path, "20260101T000000Z-aaaaaa", 10)
    for name, text in (("b", "{"), ("c", "[]"), ("d", '{"run": "d"}'), ("e", "\udcff")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    (tmp_path / "empty").mkdir()
    assert [run["run"] for run in read_runs(tmp_path)] == ["20260101T000000Z-aaaaaa"]
    assert read_runs(tmp_path / "nowhere") == []


def test_a_source_is_current_until_it_moves_on(sound: World, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# A\n"})
    commit = commit_all(repo, "second")
    state: Any = sound.source.state._replace(path=str(repo), commit=commit)
    assert is_current(state, tmp_path)
    write(repo, {"a.md": "# B\n"})
    commit_all(repo, "third")
    assert not is_current(state, tmp_path)


def test_a_source_that_cannot_be_read_is_not_current(sound: World, tmp_path: Path) -> None:
    assert not is_current(sound.source.state._replace(path=str(tmp_path / "gone")), tmp_path)
