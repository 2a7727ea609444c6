"""Reading working copies: what counts as changed, and what is never opened."""

import os
import shutil
import socket
import time
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from schemas.files import Skipped, Source
from tasks.enumerate.blobs import blob_id
from tasks.enumerate.stats import GRANULARITY_NS, NOTHING_SEEN, Seen
from tasks.enumerate.worktree import WorkingCopies
from tests import gitzoo

LATER = 3 * GRANULARITY_NS


def read(repo: Path, seen: Seen = NOTHING_SEEN) -> tuple[dict[str, bytes], dict[str, Skipped], Seen]:
    """What can be read, what can't, and what a run a while later is told of it."""
    copies = WorkingCopies(Source("zoo", str(repo)), seen)
    listing = copies.list_files()
    outcomes = list(copies.read_files(listing.entries))
    bad = [*listing.skipped, *(outcome for outcome in outcomes if isinstance(outcome, Skipped))]
    good = {outcome[0].path: outcome[1] for outcome in outcomes if not isinstance(outcome, Skipped)}
    return good, {skip.path: skip for skip in bad}, Seen(time.time_ns() + LATER, copies.stats)


def to_read(repo: Path, seen: Seen) -> set[str]:
    """The files that a run has to look into, given what an earlier one saw."""
    listing = WorkingCopies(Source("zoo", str(repo)), seen).list_files()
    return {entry.path for entry in listing.entries if not entry.content_id}


def test_uncommitted_edits_are_read(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"README.md": "# edited\n", "staged.md": "# staged, then edited\n"})
    gitzoo.git(repo, "add", "staged.md")
    good, _, _ = read(repo)
    assert (good["README.md"], good["staged.md"]) == (b"# edited\n", b"# staged, then edited\n")


def test_the_content_id_is_the_blob_id(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"README.md": "# edited\n"})
    expected = gitzoo.git(repo, "hash-object", "README.md").decode().strip()
    assert blob_id(b"# edited\n", "sha1") == expected
    assert read(repo)[2].stats["README.md"].content_id == expected


def test_a_file_as_last_seen_is_not_read(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    _, _, seen = read(repo)
    copies = WorkingCopies(Source("zoo", str(repo)), seen)
    ids = {entry.path: entry.content_id for entry in copies.list_files().entries}
    assert ids == {path: stat.content_id for path, stat in seen.stats.items()}
    assert copies.stats == seen.stats


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    _, _, seen = read(repo)
    gitzoo.write(repo, {"docs/two.md": "# two, longer\n"})
    assert to_read(repo, seen) == {"docs/two.md"}


def test_a_file_touched_near_the_last_run_is_read_again(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    _, _, seen = read(repo)
    assert to_read(repo, Seen(time.time_ns(), seen.stats)) == set(seen.stats)


def test_an_edit_within_one_tick_is_caught(tmp_path: Path) -> None:
    """Same size, same time: the last run was so near that the time proves nothing."""
    repo = gitzoo.small(tmp_path)
    path = repo / "README.md"
    started = time.time_ns()
    _, _, seen = read(repo)
    before = path.stat()
    path.write_bytes(b"# two\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "README.md" in to_read(repo, Seen(started, seen.stats))


def test_an_edit_under_a_restored_time_is_caught(tmp_path: Path) -> None:
    """However long ago the last run was: the time of the last change can't be set back."""
    repo = gitzoo.small(tmp_path)
    path = repo / "README.md"
    os.utime(path, ns=(0, 0))
    _, _, seen = read(repo)
    path.write_bytes(b"# two\n")
    os.utime(path, ns=(0, 0))
    assert to_read(repo, seen) == {"README.md"}


def test_a_file_too_large_is_known_until_it_changes(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.commit(repo, {"big.md": b"x" * 600_000})
    _, bad, seen = read(repo)
    copies = WorkingCopies(Source("zoo", str(repo)), seen)
    copies.list_files()
    assert (bad["big.md"].reason, copies.stats) == ("too large", seen.stats)
    gitzoo.write(repo, {"big.md": "# now small\n"})
    after = WorkingCopies(Source("zoo", str(repo)), seen)
    after.list_files()
    assert seen.stats.keys() - after.stats.keys() == {"big.md"}


def test_a_replaced_file_is_read_again(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    _, _, seen = read(repo)
    shutil.copy2(repo / "README.md", repo / "copy")
    (repo / "copy").rename(repo / "README.md")
    assert to_read(repo, seen) == {"README.md"}


def test_a_file_too_large_by_now_has_an_empty_id_and_a_link_none(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    (repo / "docs" / "two.md").unlink()
    (repo / "docs" / "two.md").symlink_to("deep/three.md")
    gitzoo.write(repo, {"README.md": "x" * 101})
    copies = WorkingCopies(Source("zoo", str(repo), worktree=True, max_bytes=100))
    assert copies.present_ids(["README.md", "docs/two.md"]) == {"README.md": ""}


def test_a_deleted_file_is_missing(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    (repo / "README.md").unlink()
    shutil.rmtree(repo / "docs" / "deep")
    _, bad, _ = read(repo)
    assert {path: skip.reason for path, skip in bad.items()} == {
        "README.md": "missing",
        "docs/deep/three.md": "missing",
    }


def test_a_file_deleted_after_listing_is_missing(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    copies = WorkingCopies(Source("zoo", str(repo)))
    entries = copies.list_files().entries
    (repo / "README.md").unlink()
    first = next(iter(copies.read_files(entries)))
    assert first == Skipped("README.md", "missing")


def test_nothing_but_a_regular_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = gitzoo.unborn(tmp_path)
    names = ("fifo.md", "folder.md", "link.md", "socket.md", "deep/in.md", "shadow/in.md")
    gitzoo.commit(repo, dict.fromkeys(names, "# text"))
    for name in names[:4]:
        (repo / name).unlink()
    os.mkfifo(repo / "fifo.md")
    (repo / "folder.md").mkdir()
    (repo / "link.md").symlink_to("/etc/hostname")
    monkeypatch.chdir(repo)  # a socket's path may not be long
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.md")
    (repo / "deep").rename(tmp_path / "outside")
    (repo / "deep").symlink_to(tmp_path / "outside")
    shutil.rmtree(repo / "shadow")
    (repo / "shadow").write_text("a file where a folder was")
    good, bad, _ = read(repo)
    assert good == {}
    assert {path: (skip.reason, skip.detail) for path, skip in bad.items()} == {
        "fifo.md": ("unreadable", "a FIFO"),
        "folder.md": ("unreadable", "a folder stands in its place"),
        "link.md": ("symlink", ""),
        "socket.md": ("unreadable", "a socket"),
        "deep/in.md": ("symlink", "a folder above it is a link"),
        "shadow/in.md": ("missing", ""),
    }


@pytest.mark.parametrize("swap", ["link", "fifo", "parent"])
def test_a_swap_after_listing_is_not_followed(tmp_path: Path, swap: str) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(tmp_path, {"secret/two.md": "secret"})
    copies = WorkingCopies(Source("zoo", str(repo)))
    entries = [entry for entry in copies.list_files().entries if entry.path == "docs/two.md"]
    shutil.rmtree(repo / "docs")
    if swap == "parent":
        (repo / "docs").symlink_to(tmp_path / "secret")
    else:
        (repo / "docs").mkdir()
        if swap == "link":
            (repo / "docs" / "two.md").symlink_to(tmp_path / "secret" / "two.md")
        else:
            os.mkfifo(repo / "docs" / "two.md")
    outcomes = list(copies.read_files(entries))
    assert [outcome.reason for outcome in outcomes if isinstance(outcome, Skipped)] == [
        "unreadable" if swap == "fifo" else "symlink"
    ]


def test_a_forbidden_file_is_unreadable(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    (repo / "README.md").chmod(0)
    if os.access(repo / "README.md", os.R_OK):
        pytest.skip("this user may read anything")
    good, bad, _ = read(repo)
    assert (len(good), bad["README.md"].reason) == (2, "unreadable")


@pytest.mark.parametrize("names", [[b"../outside.md"], [b"/abs.md"], [b".git/config"], [b"docs/../../outside.md"]])
def test_a_crafted_index_reaches_nothing(tmp_path: Path, names: list[bytes]) -> None:
    """Written by hand: `update-index` itself refuses such names, and `ls-files` lists them without a word."""
    repo = gitzoo.small(tmp_path)
    gitzoo.write(tmp_path, {"outside.md": "secret"})
    gitzoo.craft_index(repo, *names)
    good, bad, _ = read(repo)
    assert good == {}
    assert {path: skip.reason for path, skip in bad.items()} == {name.decode(): "unsafe path" for name in names}


def test_a_file_in_conflict_counts_once(tmp_path: Path) -> None:
    repo = gitzoo.conflicted(tmp_path)
    good, bad, _ = read(repo)
    assert (len(good), bad) == (3, {})
    assert b"<<<<<<<" in good["README.md"]


def test_a_file_only_announced_is_read(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.write(repo, {"announced.md": "# announced\n"})
    gitzoo.git(repo, "add", "--intent-to-add", "announced.md")
    assert read(repo)[0]["announced.md"] == b"# announced\n"


def test_files_staged_before_the_first_commit_are_read(tmp_path: Path) -> None:
    repo = gitzoo.unborn(tmp_path)
    gitzoo.write(repo, {"first.md": "# first\n"})
    gitzoo.git(repo, "add", "first.md")
    assert read(repo)[0] == {"first.md": b"# first\n"}


def test_a_local_edit_that_git_ignores_is_read(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    gitzoo.git(repo, "update-index", "--skip-worktree", "README.md")
    gitzoo.write(repo, {"README.md": "# local\n"})
    assert read(repo)[0]["README.md"] == b"# local\n"


def test_a_bare_repository_has_no_working_copies(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    for bare in (gitzoo.clone(tmp_path, repo, "--bare"), repo / ".git"):
        with pytest.raises(SourceUnreadable, match="has no work tree"):
            WorkingCopies(Source("zoo", str(bare))).list_files()


def test_a_work_tree_set_elsewhere_lends_no_files(tmp_path: Path) -> None:
    """`core.worktree` comes from the repository: it must not move the reading out of the folder that was named."""
    repo = gitzoo.small(tmp_path)
    gitzoo.write(tmp_path, {"victim/README.md": "secret"})
    gitzoo.git(repo, "config", "core.worktree", str(tmp_path / "victim"))
    with pytest.raises(SourceUnreadable, match="has no work tree"):
        WorkingCopies(Source("zoo", str(repo))).list_files()


def test_a_sparse_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    good, bad, _ = read(gitzoo.sparse_partial(tmp_path, mark))
    assert good == {"README.md": b"# one\n"}
    assert {path: skip.reason for path, skip in bad.items()} == {
        "docs/deep/three.md": "missing",
        "docs/two.md": "missing",
    }
    assert not mark.exists()
