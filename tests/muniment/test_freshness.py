"""Whether a hit says that its file has changed since it was indexed, or is gone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from muniment.freshness import compare, mark_changes
from muniment.search import Question, search
from muniment.store.reader import open_reader
from tests import gitzoo
from tests.conftest import commit_all, git, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")

FILES = {
    "a.md": "# Heron\n\nThe heron job sleeps.\n",
    "docs/b.md": "# Kestrel\n\nThe kestrel job runs, and wakes the heron.\n",
    "docs/c.md": "# Wren\n\nThe wren only watches the heron.\n",
}


@pytest.fixture(params=[False, True], ids=["head", "worktree"])
def how(request: pytest.FixtureRequest) -> list[str]:
    return ["--worktree"] if request.param else []


@pytest.fixture
def repo(muniment: Any, tmp_path: Path, how: list[str]) -> Path:
    made = make_repo(tmp_path / "repo", FILES)
    assert muniment("index", made, *how).code == 0
    return made


def marks(muniment: Any, words: str = "heron") -> dict[str, tuple[bool | None, bool]]:
    """Path -> whether its file has changed, and whether it is gone."""
    return {
        hit["path"]: (hit["changed_since_index"], hit["gone"])
        for hit in muniment("search", words, "--json").json["hits"]
    }


def test_a_file_as_it_was_indexed_is_not_flagged(muniment: Any, repo: Path) -> None:
    assert marks(muniment) == dict.fromkeys(FILES, (False, False))
    assert "indexed" not in muniment("search", "heron").out


def test_a_deleted_file_is_said_to_be_gone_until_the_next_run(muniment: Any, repo: Path, how: list[str]) -> None:
    (repo / "a.md").unlink()
    commit_all(repo)
    assert marks(muniment)["a.md"] == (True, True)
    assert "   the file is gone\n" in muniment("search", "sleeps").out
    muniment("index", repo, *how)
    assert "a.md" not in marks(muniment)


def test_an_edited_file_is_flagged_and_its_neighbours_are_not(muniment: Any, repo: Path) -> None:
    write(repo, {"docs/b.md": "# Kestrel\n\nThe kestrel job rests.\n"})
    commit_all(repo)
    assert marks(muniment) == {"a.md": (False, False), "docs/b.md": (True, False), "docs/c.md": (False, False)}
    assert muniment("search", "kestrel").out.count("changed since it was indexed") == 1


def test_an_edit_that_keeps_size_and_time_is_flagged(muniment: Any, repo: Path) -> None:
    import os

    path = repo / "a.md"
    before = path.stat()
    path.write_text(FILES["a.md"].replace("sleeps", "snores"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    commit_all(repo)
    assert marks(muniment)["a.md"] == (True, False)


def test_a_commit_that_touches_no_hit_flags_none(muniment: Any, repo: Path) -> None:
    write(repo, {"d.md": "# Owl\n\nAnother matter.\n"})
    commit_all(repo)
    assert marks(muniment) == dict.fromkeys(FILES, (False, False))


def test_an_uncommitted_edit_concerns_only_indexes_of_working_copies(muniment: Any, repo: Path, how: list[str]) -> None:
    write(repo, {"a.md": "# Heron\n\nThe heron is being edited.\n"})
    assert marks(muniment)["a.md"] == (bool(how), False)


def test_an_answer_marks_what_it_cites(muniment: Any, repo: Path) -> None:
    write(repo, {"a.md": "# Heron\n\nThe heron job dives.\n"})
    commit_all(repo)
    answer = muniment("ask", "Which job sleeps?", "--json").json
    assert [(one["path"], one["changed_since_index"]) for one in answer["citations"]] == [("a.md", True)]
    assert "    changed since it was indexed\n" in muniment("ask", "Which job sleeps?").out


def test_a_source_that_is_gone_is_named_and_its_hits_stay(muniment: Any, repo: Path) -> None:
    shutil.rmtree(repo)
    ran = muniment("search", "heron")
    assert ran.code == 0
    assert "a.md" in ran.out
    assert "indexed" not in ran.out
    assert ran.err.startswith("note: whether files of 'repo' have changed since they were indexed is not known: ")
    assert "does not exist" in ran.err
    assert marks(muniment) == dict.fromkeys(FILES, (None, False))


def test_of_a_folder_its_own_paths_are_compared(muniment: Any, tmp_path: Path, how: list[str]) -> None:
    repo = make_repo(tmp_path / "whole", FILES)
    muniment("index", repo / "docs", *how)
    write(repo, {"docs/b.md": "# Kestrel\n\nNo heron.\n"})
    commit_all(repo)
    assert marks(muniment) == {"b.md": (True, False), "c.md": (False, False)}


def test_strange_names_are_compared_like_others(muniment: Any, tmp_path: Path, own_place: Path, how: list[str]) -> None:
    repo = gitzoo.strange_names(tmp_path)
    muniment("index", repo, *how)
    gitzoo.commit(repo, {"new.md": "# new\n"})
    with open_reader(own_place / "index") as reader:
        (source,) = reader.generation.sources
        paths = [str(path) for path in reader.rows("documents", ["path"])["path"].to_pylist()]
        found = compare(reader, [(source, path) for path in paths])
    assert r"not utf-8 \xff.md" in paths
    assert all(mark == {"changed_since_index": False, "gone": False} for mark in found.marks.values())
    assert len(found.marks) == len(paths)


def test_a_large_file_that_was_indexed_is_not_flagged(
    muniment: Any, tmp_path: Path, how: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__MAX_BYTES", "2000000")
    repo = make_repo(tmp_path / "large", {"a.md": "# Heron\n\n" + "The heron sleeps well.\n\n" * 30_000})
    muniment("index", repo, *how)
    commit_all(repo)
    assert marks(muniment) == {"a.md": (False, False)}


def test_the_search_itself_asks_no_source(muniment: Any, repo: Path, own_place: Path) -> None:
    write(repo, {"a.md": "# Heron\n\nEdited.\n"})
    git(repo, "commit", "-qam", "edit")
    with open_reader(own_place / "index") as reader:
        results = search(reader, Question("heron"), None)
        assert {hit.changed_since_index for hit in results.hits} == {None}
        assert {hit.changed_since_index for hit in mark_changes(reader, results).hits} == {True, False}
