"""Reading the index: what the next commit will hold, and nothing else."""

import os
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from schemas.files import Skipped, Source
from tasks.enumerate.staged import Staged
from tests import gitzoo


def read(repo: Path, index_file: str = "") -> tuple[dict[str, bytes], dict[str, str]]:
    """What can be read, and why the rest can't."""
    staged = Staged(Source("zoo", str(repo)), index_file)
    listing = staged.list_files()
    outcomes = list(staged.read_files(listing.entries))
    bad = [*listing.skipped, *(outcome for outcome in outcomes if isinstance(outcome, Skipped))]
    good = {outcome[0].path: outcome[1] for outcome in outcomes if not isinstance(outcome, Skipped)}
    return good, {skip.path: skip.reason for skip in bad}


def test_what_is_staged_is_read_and_later_edits_are_not(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"README.md": "# staged\n", "new.md": "# new\n"})
    gitzoo.git(repo, "add", "README.md", "new.md")
    gitzoo.git(repo, "rm", "-q", "docs/two.md")
    gitzoo.write(repo, {"README.md": "# edited after\n", "docs/deep/three.md": "# not staged\n"})
    assert read(repo)[0] == {"README.md": b"# staged\n", "new.md": b"# new\n", "docs/deep/three.md": b"# three\n"}


def test_files_staged_before_the_first_commit_are_read(tmp_path: Path) -> None:
    repo = gitzoo.unborn(tmp_path)
    gitzoo.write(repo, {"first.md": "# first\n"})
    gitzoo.git(repo, "add", "first.md")
    assert read(repo) == ({"first.md": b"# first\n"}, {})
    assert Staged(Source("zoo", str(repo))).list_files().commit == ""


def test_every_crafted_name_is_rejected(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    names = (b"../outside.md", b"docs/../../outside.md", b".git/config.md", b"/etc/hostname.md")
    gitzoo.craft_index(repo, *names)
    assert read(repo) == ({}, {name.decode(): "unsafe path" for name in names})


def test_a_file_in_conflict_is_read_as_it_was_here(tmp_path: Path) -> None:
    good, bad = read(gitzoo.conflicted(tmp_path))
    assert (len(good), bad) == (3, {})
    assert good["README.md"] == b"# ours\n"


def test_a_file_only_announced_is_empty(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"announced.md": "# announced\n"})
    gitzoo.git(repo, "add", "--intent-to-add", "announced.md")
    assert read(repo)[1] == {"announced.md": "empty"}


def test_a_bare_repository_has_no_index(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="has no index"):
        read(gitzoo.clone(tmp_path, gitzoo.small(tmp_path), "--bare"))


@pytest.fixture
def half_committed(tmp_path: Path) -> tuple[Path, Path]:
    """A repository with an edit that is not staged, and another index that holds it."""
    repo = gitzoo.small(tmp_path)
    usual, other = repo / ".git" / "index", repo / ".git" / "index.lock"
    before = usual.read_bytes()
    gitzoo.write(repo, {"README.md": "# edited\n"})
    gitzoo.git(repo, "add", "README.md")
    other.write_bytes(usual.read_bytes())
    usual.write_bytes(before)
    return repo, other


def test_the_index_of_a_running_commit_is_read(half_committed: tuple[Path, Path]) -> None:
    repo, other = half_committed
    assert read(repo)[0]["README.md"] == b"# one\n"
    assert read(repo, str(other))[0]["README.md"] == b"# edited\n"


def test_the_index_of_a_running_commit_may_be_named_from_here(
    half_committed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, other = half_committed
    monkeypatch.chdir(repo)
    assert read(Path(), os.path.relpath(other))[0]["README.md"] == b"# edited\n"


def test_an_index_from_elsewhere_is_not_heeded(half_committed: tuple[Path, Path], tmp_path: Path) -> None:
    repo, other = half_committed
    elsewhere = tmp_path / "index"
    elsewhere.write_bytes(other.read_bytes())
    assert read(repo, str(elsewhere))[0]["README.md"] == b"# one\n"
