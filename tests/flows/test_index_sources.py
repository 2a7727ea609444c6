"""The sources of an index: which there are, what of them is wanted, and what can not be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import commit_all, git, make_repo, write
from tests.flows.held import paths, rows, section

pytestmark = pytest.mark.usefixtures("words_only")


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
