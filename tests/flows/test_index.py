"""The index flow through the command line: what lands, what stays, what goes, and what it says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.generation import read_current
from muniment.store.reader import Filter, open_reader
from tests.conftest import commit_all, git, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")


def paths(home: Path) -> list[str]:
    with open_reader(home / "index") as reader:
        return sorted(str(row["path"]) for row in reader.rows("documents", ["path"]).to_pylist())


def rows(home: Path) -> list[dict[str, Any]]:
    """Every chunk, without what depends on the moment."""
    with open_reader(home / "index") as reader:
        columns = ["chunk_id", "source", "path", "kind", "section", "title", "line_start", "line_end", "text", "terms"]
        return sorted(reader.chunks(columns).to_pylist(), key=lambda row: row["chunk_id"])


def section(name: str) -> str:
    return f"# {name}\n\nAll about {name}.\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {f"{name}.md": section(name) for name in ("alpha", "beta", "gamma", "delta")})


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


def test_a_source_that_vanished_stops_the_run(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    git(repo, "rm", "-q", "alpha.md", "beta.md", "gamma.md")
    commit_all(repo)
    ran = muniment("index", repo)
    assert ran.code == 4
    assert ran.err == (
        "error: source 'repo' has 1 documents left of 4\n"
        "hint: if that is right, run again with --allow-shrink; the index is unchanged\n"
    )
    assert len(paths(own_place)) == 4
    assert muniment("index", repo, "--allow-shrink").code == 0
    assert paths(own_place) == ["delta.md"]


def test_a_folder_moved_whole_is_no_shrinkage(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    (repo / "docs").mkdir()
    git(repo, "mv", "alpha.md", "beta.md", "gamma.md", "delta.md", "docs")
    commit_all(repo)
    assert muniment("index", repo).code == 0
    assert paths(own_place) == [f"docs/{name}.md" for name in ("alpha", "beta", "delta", "gamma")]


def test_the_working_copies_are_read_on_demand(muniment: Any, repo: Path, own_place: Path) -> None:
    muniment("index", repo)
    write(repo, {"alpha.md": section("uncommitted"), "untracked.md": section("untracked")})
    ran = muniment("index", repo, "--worktree")
    assert ran.code == 0
    texts = " ".join(row["text"] for row in rows(own_place))
    assert "uncommitted" in texts
    assert "untracked" not in texts
    muniment("index", repo)
    assert "uncommitted" not in " ".join(row["text"] for row in rows(own_place))


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


def test_a_repository_may_narrow_what_is_indexed(muniment: Any, repo: Path, own_place: Path) -> None:
    write(repo, {"muniment.toml": '[index]\nexclude = ["beta.md"]\n[embedder]\nurl = "http://evil.example"\n'})
    commit_all(repo)
    ran = muniment("index", repo)
    assert paths(own_place) == ["alpha.md", "delta.md", "gamma.md"]
    assert "note: muniment.toml in the repository also sets embedder: ignored" in ran.err


def test_a_repository_can_not_widen_what_is_indexed(muniment: Any, repo: Path, own_place: Path, tmp_path: Path) -> None:
    settings = tmp_path / "own.toml"
    settings.write_text('[index]\nexclude = ["beta.md"]\nmax_bytes = 1000\n')
    write(
        repo,
        {"muniment.toml": '[index]\ninclude = ["*"]\nmax_bytes = 9000000\n', "big.md": section("big") + "x " * 1000},
    )
    commit_all(repo)
    ran = muniment("index", repo, "--config", settings, "--json")
    assert paths(own_place) == ["alpha.md", "delta.md", "gamma.md"]
    assert ran.json["sources"][0]["skipped"]["too large"] == 1


@pytest.mark.parametrize(
    "text", ["[index\n", '[index]\nexclude = "beta.md"\n', "[index]\nexclude = [1]\n", '[index]\nmax_bytes = "1"\n']
)
def test_a_broken_narrowing_file_stops_the_run(muniment: Any, repo: Path, own_place: Path, text: str) -> None:
    write(repo, {"muniment.toml": text})
    commit_all(repo)
    ran = muniment("index", repo)
    assert ran.code == 2
    assert "muniment.toml in source 'repo'" in ran.err
    assert not (own_place / "index" / "current.json").exists()


def test_sources_share_one_index(muniment: Any, repo: Path, tmp_path: Path, own_place: Path) -> None:
    other = make_repo(tmp_path / "other", {"alpha.md": section("other alpha")})
    muniment("index", repo)
    muniment("index", other)
    assert paths(own_place) == ["alpha.md", "alpha.md", "beta.md", "delta.md", "gamma.md"]
    found = muniment("search", "alpha", "--source", "other", "--json").json["hits"]
    assert {hit["source"] for hit in found} == {"other"}
    muniment("index", other, "--force")
    assert len(paths(own_place)) == 5


def test_one_name_means_one_place(muniment: Any, repo: Path, tmp_path: Path) -> None:
    twin = make_repo(tmp_path / "twin" / "repo", {"a.md": section("a")})
    muniment("index", repo)
    ran = muniment("index", twin)
    assert ran.code == 2
    assert "the name 'repo' already means" in ran.err
    assert muniment("index", twin, "--name", "twin").code == 0


def test_without_a_path_the_configured_sources_are_refreshed(
    muniment: Any, repo: Path, tmp_path: Path, own_place: Path
) -> None:
    settings = tmp_path / "own.toml"
    settings.write_text('[[sources]]\nname = "mine"\npath = "repo"\ninclude = ["alpha.md", "beta.md"]\n')
    assert muniment("index", "--config", settings).code == 0
    assert paths(own_place) == ["alpha.md", "beta.md"]
    assert muniment("index", "--config", settings).out.startswith("mine: nothing new at")


def test_nothing_named_is_an_error(muniment: Any) -> None:
    ran = muniment("index")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err == "error: nothing to index: no path given, no sources in the settings, no index yet\n"
        "hint: try 'muniment index PATH'\n"
    )


@pytest.mark.parametrize(
    ("make", "code", "said"),
    [
        (lambda place: place / "no", 14, "does not exist"),
        (lambda place: place, 14, "is not a git repository"),
        (lambda place: (git(place, "init", "-q", "empty"), place / "empty")[1], 14, "has no commit at HEAD"),
    ],
    ids=["missing", "not git", "unborn"],
)
def test_a_source_that_can_not_be_read_gets_one_line(
    muniment: Any, tmp_path: Path, make: Any, code: int, said: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    ran = muniment("index", make(place))
    assert ran.code == code
    assert said in ran.err
    assert len(ran.err.splitlines()) == 2


def test_an_empty_source_publishes_an_empty_generation(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"code.c": "int main;\n"})
    ran = muniment("index", repo)
    assert ran.code == 0
    assert "0 documents, 0 chunks" in ran.out
    assert muniment("search", "anything").code == 0


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


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        (("--kind", "template"), lambda hit: hit["kind"] == "template"),
        (("--section", "operational safeguards"), lambda hit: hit["section"] == "OPERATIONAL SAFEGUARDS"),
        (("--path", "docs/"), lambda hit: hit["path"].startswith("docs/")),
        (
            ("--path", "*.sh", "--path", "!mover.sh"),
            lambda hit: hit["path"].endswith(".sh") and "mover" not in hit["path"],
        ),
    ],
    ids=["kind", "section", "path", "paths"],
)
def test_filters_hold_whatever_the_words(
    muniment: Any, sample: Path, flags: tuple[str, ...], kept: Callable[[dict[str, Any]], bool]
) -> None:
    muniment("index", sample)
    hits = muniment("search", "mover cache disk", "--limit", 50, "--json", *flags).json["hits"]
    assert hits
    assert all(map(kept, hits))


def test_every_hit_can_be_opened_at_its_lines(muniment: Any, sample: Path) -> None:
    muniment("index", sample)
    for hit in muniment("search", "mover cache backup disk default", "--limit", 100, "--json").json["hits"]:
        raw = (sample / hit["path"]).read_bytes()
        lines = raw.decode("latin-1" if "site-note" in hit["path"] else "utf-8").replace("\r\n", "\n").split("\n")
        slice_ = lines[hit["line_start"] - 1 : hit["line_end"]]
        for shown, there in zip(hit["text"].split("\n"), slice_, strict=True):
            assert shown.strip() in there


def test_equal_texts_take_one_place(muniment: Any, tmp_path: Path) -> None:
    text = "# Restoring\n\nCopy the dump back and replay the journal.\n"
    repo = make_repo(tmp_path / "repo", {"a/README.md": text, "b/README.md": text, "c.md": section("c")})
    muniment("index", repo)
    (hit,) = muniment("search", "replay the journal", "--json").json["hits"]
    assert hit["path"] == "a/README.md"
    assert hit["also"] == ["b/README.md:1"]


def test_searching_without_an_index_says_what_to_do(muniment: Any, own_place: Path) -> None:
    ran = muniment("search", "x")
    assert ran.code == 10
    assert ran.err == f"error: no index at '{own_place / 'index'}'\nhint: build one with 'muniment index PATH'\n"
    assert not own_place.exists()


def test_a_filter_never_becomes_syntax(muniment: Any, repo: Path) -> None:
    muniment("index", repo)
    ran = muniment("search", "alpha", "--section", "x' OR '1'='1")
    assert (ran.code, ran.out) == (2, "")
    assert "x' OR '1'='1" in ran.err
    assert Filter(sections=("x",)).expression() is not None


def test_nothing_is_ever_written_into_the_repository(muniment: Any, repo: Path) -> None:
    def state() -> dict[Path, tuple[int, int]]:
        return {path: (stat.st_size, stat.st_mtime_ns) for path in repo.rglob("*") for stat in (path.lstat(),)}

    write(repo, {"alpha.md": section("edited")})
    before = state()
    for command in (("index", repo), ("index", repo, "--worktree"), ("index", repo, "--force"), ("search", "alpha")):
        assert muniment(*command).code == 0
    assert state() == before
