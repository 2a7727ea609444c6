"""`muniment gc`: what nothing needs is given back, and nothing that anybody needs."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.generation import history_files
from muniment.store.reader import Filter, open_reader
from muniment.store.tables import connect, roll_back
from muniment.store.writer import open_writer, write_lock
from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.verify.damage import current, file_with

Muniment = Callable[..., Ran]
COLUMNS = ["path", "text"]


def size(home: Path) -> int:
    return sum(path.stat().st_size for path in (home / "index").rglob("*") if path.is_file())


def files(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in (home / "index").rglob("*") if path.is_file()}


def test_it_gives_back_what_it_says(muniment: Muniment, home: Path) -> None:
    before = size(home)
    shown = muniment("gc", "--json").json
    assert shown["size"] == sum(shown["sizes"].values()) == before - size(home) > 0
    assert muniment("verify", "--deep").code == 0
    assert muniment("gc").out == "0 bytes reclaimed\n"


def test_a_dry_run_says_the_same_and_removes_nothing(muniment: Muniment, home: Path) -> None:
    before = files(home)
    dry = muniment("gc", "--dry-run")
    assert dry.out.splitlines()[-1].endswith(" bytes would be reclaimed; nothing was removed")
    assert files(home) == before
    assert muniment("gc").out.splitlines()[:-1] == dry.out.splitlines()[:-1]


def test_every_kept_generation_answers_afterwards(muniment: Muniment, home: Path) -> None:
    muniment("gc")
    for number in (1, 2):
        assert muniment("search", "carries files", "--as-of", number, "--json").json["hits"]
    repo = Path(current(home).sources["ops"].path)
    before = (repo / "README.md").read_text()
    write(repo, {"README.md": before + "\nOnce more.\n"})
    commit_all(repo)
    try:
        assert muniment("index", "--json").json["embedded"] == 1
    finally:
        write(repo, {"README.md": before})
        commit_all(repo)
    assert muniment("verify", "--deep").code == 0


def test_what_a_reader_holds_is_left(muniment: Muniment, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__KEEP_GENERATIONS", "1")
    with open_reader(home / "index", 1) as reader:
        muniment("index", "--force")
        muniment("gc")
        assert reader.chunks(["text"]).num_rows == 7
        assert reader.match("carries", Filter(), 5, COLUMNS).num_rows == 1
        assert [path.stem for path in history_files(home / "index")] == ["00000003", "00000001"]
    before = size(home)
    muniment("gc")
    assert [path.stem for path in history_files(home / "index")] == ["00000003"]
    assert not (home / "index" / "tables" / "chunks_00000001.lance").exists()
    assert size(home) < 0.7 * before
    assert muniment("verify", "--deep").code == 0


def test_what_a_killed_run_left_goes(muniment: Muniment, home: Path) -> None:
    """Versions that were never published, and files that were to replace others."""
    muniment("gc")
    before, found = files(home), current(home)
    with open_writer(home / "index") as writer:
        writer.begin(found.fingerprint, found.dimension, beside=False)
        connect(home / "index").open_table(found.tables["chunks"].name).delete("path = 'README.md'")
    for name in (".current.json.new", "generations/.00000003.json.new", "seen/x.new", "generations/00000009.files"):
        (home / "index" / name).write_text("half")
    shutil.copytree(home / "index/tables/claims_00000001.lance", home / "index/tables/claims_00000007.lance")
    shown = muniment("gc", "--json").json["counts"]
    assert shown.keys() == {"temporary files", "old versions", "tables of no generation"}
    assert shown["temporary files"] == 4
    # What is left over is the version that takes the unpublished one's place: its number is not given out again.
    assert {path.rpartition("/")[0].rpartition("/")[2] for path in files(home) - before} <= {
        "_versions",
        "_transactions",
    }
    assert muniment("verify", "--deep").code == 0
    with open_writer(home / "index") as writer:
        writer.begin(found.fingerprint, found.dimension, beside=False)
        assert writer.count() == (3, 7)
    assert roll_back(connect(home / "index"), found.tables["chunks"]).count_rows() == 7


def test_vectors_of_another_embedder_go_after_a_week(muniment: Muniment, home: Path) -> None:
    """Younger ones may be what a killed run left for the next."""
    (own,) = (home / "index" / "tables").glob("embeddings_*.lance")
    other = Path(shutil.copytree(own, own.with_name("embeddings_0123456789abcdef.lance")))
    muniment("gc")
    assert other.exists()
    eight_days_ago = time.time() - 8 * 86_400
    os.utime(other, (eight_days_ago, eight_days_ago))
    assert muniment("gc", "--json").json["counts"] == {"vectors of another embedder": 1}
    assert (own.exists(), other.exists()) == (True, False)


def test_what_was_seen_of_a_source_that_is_gone_goes(muniment: Muniment, home: Path, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other", {"a.md": "# A\n\n- `PORT` (default: `80`)\n"})
    muniment("index", other, "--worktree", "--name", "other")
    found = current(home)
    from muniment.generation import publish

    assert len(list((home / "index" / "seen").glob("*.json"))) == 1
    publish(home / "index", found._replace(sources={"ops": found.sources["ops"]}))
    shown = muniment("gc", "--json").json
    assert shown["counts"]["what was seen of sources that are gone"] == 1
    assert not list((home / "index" / "seen").glob("*.json"))
    assert (home / "index" / "seen" / "facts.sqlite").exists()


def test_a_torn_manifest_stops_it_before_anything_is_removed(muniment: Muniment, home: Path) -> None:
    file_with(home, "chunks_00000001.lance/_versions").write_bytes(b"x")
    before = files(home)
    ran = muniment("gc")
    assert ran.code == 12
    assert ran.err.splitlines()[1] == "hint: mend it with 'muniment repair'"
    assert files(home) == before


def test_it_waits_for_nobody(muniment: Muniment, home: Path) -> None:
    with write_lock(home / "index"):
        assert muniment("gc").code == 75


@pytest.mark.parametrize("made", [False, True])
def test_without_an_index_there_is_nothing_to_do(muniment: Muniment, own_place: Path, made: bool) -> None:
    if made:
        (own_place / "index").mkdir(parents=True)
    assert muniment("gc").code == 10
