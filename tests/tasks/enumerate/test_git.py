"""Reading the committed state: crafted trees, damaged and partial object stores."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from schemas.files import Entry, Skipped, Source
from tasks.enumerate.git import Commit
from tests import gitzoo

CRAFTED = (
    b"../x.md",
    b"/abs.md",
    b"docs/../../x.md",
    b".git/config",
    b".GIT/x.md",
    b"GIT~1/x.md",
    b".git /x.md",
    ".g\u200cit/x.md".encode(),
    b"docs//x.md",
    b"docs/./x.md",
    b".",
    b"..",
    b".git::$INDEX_ALLOCATION/x.md",
    rb"..\x.md",
    rb".git\config",
)


def read(repo: Path, max_bytes: int = 512_000) -> tuple[dict[str, bytes], dict[str, Skipped]]:
    """What can be read, and what can't, of every entry listed."""
    commit = Commit(Source("zoo", str(repo), max_bytes=max_bytes))
    outcomes = list(commit.read_files(commit.list_files().entries))
    bad = {outcome.path: outcome for outcome in outcomes if isinstance(outcome, Skipped)}
    return {outcome[0].path: outcome[1] for outcome in outcomes if not isinstance(outcome, Skipped)}, bad


def test_every_crafted_name_is_rejected(tmp_path: Path) -> None:
    repo = gitzoo.crafted(tmp_path, *CRAFTED)
    listing = Commit(Source("zoo", str(repo))).list_files()
    assert [entry.path for entry in listing.entries] == ["z-good.md"]
    assert {skip.path for skip in listing.skipped} == {name.decode() for name in CRAFTED}
    assert {skip.reason for skip in listing.skipped} == {"unsafe path"}


def test_a_name_listed_twice_counts_twice(tmp_path: Path) -> None:
    listing = Commit(Source("zoo", str(gitzoo.crafted(tmp_path, b"z-good.md")))).list_files()
    assert [entry.path for entry in listing.entries] == ["z-good.md"]
    assert [skip.reason for skip in listing.skipped] == ["unsafe path"]


def test_a_tree_called_a_file_is_unreadable(tmp_path: Path) -> None:
    good, bad = read(gitzoo.wrong_type(tmp_path))
    assert (good, bad["tree.md"].reason) == ({}, "unreadable")


def test_uncommitted_edits_are_not_seen(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"README.md": "# edited\n", "staged.md": "# staged\n"})
    gitzoo.git(repo, "add", "staged.md")
    assert read(repo)[0].keys() == {"README.md", "docs/two.md", "docs/deep/three.md"}
    assert read(repo)[0]["README.md"] == b"# one\n"


def test_a_rename_keeps_the_content_id(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    before = {entry.path: entry.content_id for entry in Commit(Source("zoo", str(repo))).list_files().entries}
    gitzoo.git(repo, "mv", "README.md", "docs/renamed.md")
    gitzoo.commit(repo)
    after = {entry.path: entry.content_id for entry in Commit(Source("zoo", str(repo))).list_files().entries}
    assert after["docs/renamed.md"] == before["README.md"]
    assert after.keys() == {"docs/renamed.md", "docs/two.md", "docs/deep/three.md"}


def test_an_old_listing_is_read_after_a_commit(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    commit = Commit(Source("zoo", str(repo)))
    entries = commit.list_files().entries
    gitzoo.commit(repo, {"README.md": "# newer\n"})
    assert {outcome[1] for outcome in commit.read_files(entries) if not isinstance(outcome, Skipped)} >= {b"# one\n"}


def test_a_bare_repository_is_read(tmp_path: Path) -> None:
    assert len(read(gitzoo.clone(tmp_path, gitzoo.small(tmp_path), "--bare"))[0]) == 3


def test_packed_objects_are_read(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.git(repo, "gc", "-q", "--prune=now")
    assert len(read(repo)[0]) == 3


def test_a_folder_that_is_not_committed_is_refused(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"new/a.md": "# a"})
    with pytest.raises(SourceUnreadable, match="is not in the commit at HEAD"):
        Commit(Source("zoo", str(repo / "new"))).list_files()


def test_an_absent_submodule_is_refused(tmp_path: Path) -> None:
    repo = gitzoo.clone(tmp_path, gitzoo.submodule(tmp_path))
    with pytest.raises(SourceUnreadable, match="submodule"):
        Commit(Source("zoo", str(repo / "sub"))).list_files()


@pytest.mark.parametrize(
    "planted",
    [
        b"blob 6\0# lie\n",
        b"blob 60000\0short",
        b"blob 3\0far more than three",
        b"blob 3\0" + b"x" * 9_000_000,
        b"tree 0\0",
        b"no",
    ],
    ids=["other", "short", "long", "very long", "type", "header"],
)
def test_one_damaged_object_costs_one_file(tmp_path: Path, planted: bytes) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.plant(repo, Commit(Source("zoo", str(repo))).list_files().entries[0].content_id, planted)
    good, bad = read(repo)
    assert good == {"docs/deep/three.md": b"# three\n", "docs/two.md": b"# two\n"}
    assert bad["README.md"].reason in {"unreadable", "missing"}


def test_a_lost_object_is_missing(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    lost = Commit(Source("zoo", str(repo))).list_files().entries[0]
    gitzoo.loose(repo, lost.content_id).unlink()
    good, bad = read(repo)
    assert (len(good), bad[lost.path].reason) == (2, "missing")


def test_reading_goes_on_after_many_large_files(tmp_path: Path) -> None:
    repo = gitzoo.unborn(tmp_path)
    gitzoo.commit(repo, {f"{number:02}.md": b"x" * (2_000_000 if number % 2 else 10 + number) for number in range(20)})
    good, bad = read(repo, max_bytes=1_000_000)
    assert [len(raw) for raw in good.values()] == [10 + number for number in range(0, 20, 2)]
    assert {skip.detail for skip in bad.values()} == {"2,000,000 bytes"}


@pytest.fixture(params=[False, True], ids=["git", "old git"])
def _any_git(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The git of this machine, and one that like those before 2.44 has not heard of GIT_NO_LAZY_FETCH."""
    if request.param:
        old = tmp_path / "bin" / "git"
        old.parent.mkdir()
        old.write_text(f"#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '{shutil.which('git')}' \"$@\"\n")
        old.chmod(0o755)
        monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)


@pytest.mark.usefixtures("_any_git")
@pytest.mark.parametrize("url", ["", "ssh://host.invalid/repo", "file:///nowhere", "git://host.invalid/repo"])
def test_a_partial_clone_fetches_nothing(tmp_path: Path, url: str) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.partial(tmp_path, mark, url)
    here = gitzoo.git(repo, "hash-object", "-w", "--stdin", stdin=b"# here\n").decode().strip()
    commit = Commit(Source("zoo", str(repo)))
    *absent, present = commit.read_files([*commit.list_files().entries, Entry("here.md", here)])
    assert [outcome.reason for outcome in absent if isinstance(outcome, Skipped)] == ["missing"] * 3
    assert not isinstance(present, Skipped)
    assert present[1] == b"# here\n"
    assert not mark.exists()


@pytest.mark.parametrize("url", ["", "ssh://host.invalid/repo"])
def test_the_partial_clone_is_armed(tmp_path: Path, url: str) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.partial(tmp_path, mark, url)
    gitzoo.git(repo, "cat-file", "-p", "HEAD:README.md", check=False)
    assert mark.exists()


@pytest.mark.usefixtures("_any_git")
def test_a_partial_clone_without_folders_is_refused(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    repo = gitzoo.partial(tmp_path, mark, filter_="tree:0")
    with pytest.raises(SourceUnreadable, match="partial clone") as refused:
        Commit(Source("zoo", str(repo))).list_files()
    assert "--filter" in refused.value.hint
    assert not mark.exists()


def children() -> set[str]:
    """The processes that this one has started, those that other tests left running included."""
    lists = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {pid for each in lists for pid in each.read_text().split()}


def test_leaving_a_read_halfway_ends_git(tmp_path: Path) -> None:
    commit = Commit(Source("zoo", str(gitzoo.small(tmp_path))))
    entries = commit.list_files().entries
    before = children()
    outcomes = commit.read_files(entries)
    next(outcomes)
    assert children() > before
    del outcomes
    assert children() == before


def test_threads_read_side_by_side(tmp_path: Path) -> None:
    repo = gitzoo.strange_names(tmp_path)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(read(repo)[0]))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [len(gitzoo.STRANGE_NAMES)] * 8
