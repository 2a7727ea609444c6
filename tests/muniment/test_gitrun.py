"""The hardened git runner: what it finds, what it refuses, and what it starts."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.errors import SourceUnreadable
from muniment.gitrun import Head, find_head, head_commit, list_records, run
from tests import gitzoo


@pytest.fixture
def git_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that gets one line for each git process, written by a `git` that stands first in PATH."""
    log, folder = tmp_path / "git.log", tmp_path / "bin"
    folder.mkdir()
    wrapper = folder / "git"
    wrapper.write_text(f"#!/bin/sh\necho \"$*\" >> '{log}'\nexec '{shutil.which('git')}' \"$@\"\n")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return log


def test_the_commit_at_head_is_found(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    assert head_commit(str(repo)) == gitzoo.git(repo, "rev-parse", "HEAD").decode().strip()


def test_finding_head_starts_one_process(tmp_path: Path, git_log: Path) -> None:
    repo = gitzoo.small(tmp_path)
    head_commit(str(repo / "docs"))
    assert len(git_log.read_text().splitlines()) == 1


def test_a_folder_inside_knows_its_place(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    head = find_head(str(repo / "docs" / "deep"))
    assert head == Head(head_commit(str(repo)), b"docs/deep/", in_work_tree=True)


@pytest.mark.parametrize("name", [b"line\nbreak", b"\xff", b"true\nfalse", b"-dash", b"\n"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: bytes) -> None:
    repo = gitzoo.unborn(tmp_path)
    gitzoo.commit(repo, {name + b"/a.md": "# a"})
    head = find_head(str(repo / os.fsdecode(name)))
    assert (head.prefix, head.commit) == (name + b"/", head_commit(str(repo)))


def test_a_link_to_a_folder_inside_is_followed(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    (tmp_path / "link").symlink_to(repo / "docs")
    assert find_head(str(tmp_path / "link")).prefix == b"docs/"


def test_a_bare_repository_is_read_when_named(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    bare = gitzoo.clone(tmp_path, repo, "--bare")
    assert find_head(str(bare)) == Head(head_commit(str(repo)), b"", in_work_tree=False)


def test_a_git_folder_is_read_as_bare(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    assert not find_head(str(repo / ".git")).in_work_tree


def test_a_bare_repository_among_the_files_is_not_found_from_below(tmp_path: Path) -> None:
    """Documents can pose as a repository with a configuration of its own; git must not walk up into it."""
    repo = gitzoo.small(tmp_path)
    posing = repo / "docs" / "posing"
    gitzoo.git(repo, "clone", "-q", "--bare", str(repo), str(posing))
    with pytest.raises(SourceUnreadable, match="lies inside a bare repository"):
        head_commit(str(posing / "refs"))


def test_a_sha256_repository_has_long_ids(tmp_path: Path) -> None:
    assert len(head_commit(str(gitzoo.small(tmp_path, "sha256")))) == 64


def _missing(tmp: Path) -> Path:
    return tmp / "nowhere"


def _file(tmp: Path) -> Path:
    return gitzoo.small(tmp) / "README.md"


def _plain_folder(tmp: Path) -> Path:
    (tmp / "plain").mkdir()
    return tmp / "plain"


def _stale_worktree(tmp: Path) -> Path:
    repo = gitzoo.nested_worktree(tmp)
    shutil.rmtree(repo / ".git" / "worktrees")
    return repo / ".claude" / "wt"


def _head_without_object(tmp: Path) -> Path:
    repo = gitzoo.small(tmp)
    gitzoo.loose(repo, head_commit(str(repo))).unlink()
    return repo


def _foreign_format(tmp: Path) -> Path:
    repo = gitzoo.small(tmp)
    gitzoo.git(repo, "config", "core.repositoryFormatVersion", "99")
    return repo


def _without_tree(tmp: Path) -> Path:
    repo = gitzoo.small(tmp)
    gitzoo.loose(repo, gitzoo.git(repo, "rev-parse", "HEAD:docs").decode().strip()).unlink()
    return repo


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (_missing, "{} does not exist"),
        (_file, "{} is not a folder"),
        (_plain_folder, "{} is not a git repository"),
        (gitzoo.unborn, "{} has no commit at HEAD"),
        (_head_without_object, "{} has no commit at HEAD"),
        (_stale_worktree, "{} belongs to a repository that is not where it was"),
        (_foreign_format, "git can't read {}: Expected git repo version <= 1, found 99"),
    ],
)
def test_each_unreadable_folder_is_told_apart(tmp_path: Path, build: Callable[[Path], Path], message: str) -> None:
    folder = str(build(tmp_path))
    with pytest.raises(SourceUnreadable) as refused:
        head_commit(folder)
    assert refused.value.message.startswith(message.format(repr(folder)))
    assert "\n" not in refused.value.message
    assert refused.value.hint


def test_what_git_complains_of_is_said_once(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match=r"git can't read '.*': Could not read [0-9a-f]{40}$"):
        run(str(_without_tree(tmp_path)), "ls-tree", "-r", "-z", "--full-tree", "HEAD")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_foreign_owner_is_named_with_the_way_out(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    for path in (repo, repo / ".git"):
        os.chown(path, 54321, 54321)
    with pytest.raises(SourceUnreadable, match="belongs to another user") as refused:
        head_commit(str(repo / "docs"))
    assert refused.value.hint.endswith(f"git config --global --add safe.directory '{repo}'")


def test_a_machine_without_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    open_before = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(SourceUnreadable, match="git is not installed"):
        head_commit(str(tmp_path))
    assert len(list(Path("/dev/fd").iterdir())) == open_before


def test_a_git_that_hangs_is_given_up(tmp_path: Path) -> None:
    repo = gitzoo.small(tmp_path)
    (repo / ".git" / "HEAD").unlink()
    os.mkfifo(repo / ".git" / "HEAD")
    with pytest.raises(SourceUnreadable, match=r"git said nothing for 0.2 s"):
        find_head(str(repo), silence_s=0.2)


@pytest.mark.slow
def test_a_few_trees_with_endless_names_are_refused(tmp_path: Path) -> None:
    repo = gitzoo.bomb(tmp_path)
    with pytest.raises(SourceUnreadable, match="git lists over 256 MiB of names"):
        run(str(repo), "ls-tree", "-r", "-z", "HEAD")


def test_more_complaints_than_a_pipe_holds_block_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = tmp_path / "git"
    stand_in.write_text("#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x >&2\necho answer\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert run(str(tmp_path), "ls-tree") == b"answer\n"


def test_records_keep_names_as_bytes(tmp_path: Path) -> None:
    repo = gitzoo.strange_names(tmp_path)
    assert {name for _, name in list_records(str(repo), "ls-tree", "-r", "-z", "HEAD")} == set(gitzoo.STRANGE_NAMES)


def test_an_inherited_environment_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = gitzoo.small(tmp_path)
    right = gitzoo.commit(repo, {"more.md": "# more"})
    for name, value in gitzoo.hostile_environment(tmp_path, tmp_path / "mark").items():
        monkeypatch.setenv(name, value)
    assert head_commit(str(repo)) == right
    assert not (tmp_path / "mark").exists()


def test_importing_the_runner_loads_nothing_heavy() -> None:
    code = "import sys, muniment.gitrun; print(*sorted({'subprocess', 'dataclasses', 'pathlib'} & set(sys.modules)))"
    bare = (sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); {code}")
    assert subprocess.run(bare, capture_output=True, text=True, check=True).stdout.split() == []
