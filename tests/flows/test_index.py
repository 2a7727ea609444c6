"""The index flow through the command line: what lands, what stays, what goes, and what it says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import read_current
from tests.conftest import commit_all, git, make_repo, write
from tests.flows.held import paths, rows, section

pytestmark = pytest.mark.usefixtures("words_only")


def test_the_sample_is_indexed_whole(muniment: Any, sample: Path, own_place: Path) -> None:
    ran = muniment("index", sample, "--json")
    (source,) = ran.json["sources"]
    tracked = git(sample, "ls-files", "-z").count("\0")
    assert ran.code == 0
    assert source["files"] == tracked
    assert source["files"] == source["indexed"] + source["unchanged"] + sum(source["skipped"].values())
    assert source["documents"] == source["indexed"] == len(paths(own_place))
    assert source["chunks"] == len(rows(own_place))


def test_the_same_commit_is_nothing_to_do(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    before = read_current(own_place / "index")
    ran = muniment("index", repo)
    assert ran.code == 0
    assert ran.out.startswith("repo: nothing new at ")
    assert read_current(own_place / "index") == before


def test_a_second_run_writes_nothing_twice(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    first = rows(own_place)
    commit_all(repo, "an empty commit")
    ran = muniment("index", repo, "--json")
    assert ran.json["sources"][0]["unchanged"] == 4
    assert ran.json["chunks_written"] == 0
    assert rows(own_place) == first


def test_only_what_changed_is_chunked(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    write(repo, {"beta.md": "# beta\n\nQuite another text.\n"})
    commit_all(repo)
    ran = muniment("index", repo, "--json")
    assert (ran.json["sources"][0]["indexed"], ran.json["sources"][0]["unchanged"]) == (1, 3)
    assert [row["text"] for row in rows(own_place) if row["path"] == "beta.md"] == ["# beta\n\nQuite another text."]


def test_a_rename_moves_its_chunks(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    git(repo, "mv", "alpha.md", "omega.md")
    commit_all(repo)
    muniment("index", repo)
    assert paths(own_place) == ["beta.md", "delta.md", "gamma.md", "omega.md"]


def test_a_full_rebuild_forgets_renamed_files(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    git(repo, "mv", "alpha.md", "omega.md")
    commit_all(repo)
    muniment("index", repo, "--force")
    assert paths(own_place) == ["beta.md", "delta.md", "gamma.md", "omega.md"]
    assert {row["path"] for row in rows(own_place)} == set(paths(own_place))


def test_a_deleted_file_is_gone_even_where_another_has_its_text(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    files = {f"{name}/GUIDE.md": section("guide") for name in "abc"}
    repo = make_repo(tmp_path / "repo", files | {"d.md": section("d")})
    muniment("index", repo)
    git(repo, "rm", "-q", "a/GUIDE.md")
    commit_all(repo)
    muniment("index", repo)
    assert paths(own_place) == ["b/GUIDE.md", "c/GUIDE.md", "d.md"]
    git(repo, "rm", "-q", "b/GUIDE.md")
    commit_all(repo)
    muniment("index", repo)
    assert paths(own_place) == ["c/GUIDE.md", "d.md"]


def test_a_header_that_was_taken_out_leaves_no_document(muniment: Any, repo: Path, own_place: Path) -> None:
    write(repo, {"run.sh": "#!/bin/bash\n# PURPOSE\n#   Runs all of it in one go.\nexit 0\n"})
    commit_all(repo)
    muniment("index", repo)
    assert "run.sh" in paths(own_place)
    write(repo, {"run.sh": "#!/bin/bash\nexit 0\n"})
    commit_all(repo)
    ran = muniment("index", repo, "--json")
    assert ran.json["sources"][0]["deleted"] == 1
    assert "run.sh" not in paths(own_place)
    assert "run.sh" not in {row["path"] for row in rows(own_place)}


def test_the_index_depends_on_the_commit_alone(muniment: Any, repo: Path, tmp_path: Path) -> None:
    """Step by step, or in one go from a clone elsewhere: the same ids, the same rows."""
    muniment("index", repo, "--home", tmp_path / "h1", "--name", "r")
    write(repo, {"new.md": section("new"), "beta.md": section("other")})
    git(repo, "rm", "-q", "gamma.md")
    commit_all(repo)
    muniment("index", repo, "--home", tmp_path / "h1", "--name", "r")
    git(tmp_path, "clone", "-q", str(repo), "elsewhere")
    muniment("index", tmp_path / "elsewhere", "--home", tmp_path / "h2", "--name", "r")
    assert rows(tmp_path / "h1") == rows(tmp_path / "h2")


def test_no_id_holds_an_absolute_path(muniment: Any, repo: Path, own_place: Path, tmp_path: Path) -> None:
    muniment("index", repo)
    shown = json.dumps([{key: value for key, value in row.items() if key != "text"} for row in rows(own_place)])
    assert str(tmp_path) not in shown


def test_edits_in_one_section_leave_other_ids_alone(muniment: Any, tmp_path: Path, own_place: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# T\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n"})
    muniment("index", repo)
    before = {row["title"]: row["chunk_id"] for row in rows(own_place)}
    write(repo, {"a.md": "# T\n\n## One\n\nFirst, and much more of it.\n\nAnd more.\n\n## Two\n\nSecond.\n"})
    commit_all(repo)
    muniment("index", repo)
    assert {row["title"]: row["chunk_id"] for row in rows(own_place)} == before


def test_a_dry_run_writes_and_contacts_nothing(
    muniment: Any, repo: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER__NAME", "ollama")
    monkeypatch.setenv("MUNIMENT_EMBEDDER__URL", "http://127.0.0.1:9")
    ran = muniment("index", repo, "--dry-run")
    assert ran.code == 0
    assert "4 files: 4 to be read" in ran.out
    assert ran.out.endswith("dry run: nothing was written\n")
    assert not own_place.exists()


def test_every_run_keeps_its_numbers(muniment: Any, repo: Path, own_place: Path) -> None:
    ran = muniment("index", repo, "--json")
    kept = json.loads((own_place / "runs" / ran.json["run"] / "run.json").read_text())
    assert kept == ran.json
    assert kept["sources"][0]["commit"] == git(repo, "rev-parse", "HEAD").strip()
    stages = {"enumerate", "classify", "chunk", "secrets", "upsert", "embed", "claims", "publish", "reclaim"}
    assert set(kept["seconds"]) == stages


def test_hostile_names_and_words_stay_inert(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a\nb\x1b[31m.md": "# Title\x1b]0;owned\x07\n\nWords \u202e here.\n"})
    indexed = muniment("index", repo)
    found = muniment("search", "words")
    for ran in (indexed, found):
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)
    assert "a\\nb\\x1b[31m.md:1-3" in found.out


def test_git_is_asked_once_when_nothing_changed(
    muniment: Any, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    muniment("index", repo)
    log, folder = tmp_path / "calls", tmp_path / "bin"
    folder.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    (folder / "git").write_text(f'#!/bin/sh\necho call >> {log}\nexec {real} "$@"\n')
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    muniment("index", repo)
    assert log.read_text() == "call\n"


def test_nothing_is_ever_written_into_the_repository(muniment: Any, repo: Path) -> None:
    def state() -> dict[Path, tuple[int, int]]:
        return {path: (stat.st_size, stat.st_mtime_ns) for path in repo.rglob("*") for stat in (path.lstat(),)}

    write(repo, {"alpha.md": section("edited")})
    before = state()
    for command in (("index", repo), ("index", repo, "--worktree"), ("index", repo, "--force"), ("search", "alpha")):
        assert muniment(*command).code == 0
    assert state() == before
