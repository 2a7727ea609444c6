"""`muniment hook install`, `uninstall` and `status`: what comes into a repository, and out of it again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.hook import PULL_HOOKS, hooks_folder, install
from tests import gitzoo
from tests.conftest import Ran, commit_all, git, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")
Muniment = Callable[..., Ran]


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "origin", {"heron.md": "# Heron\n\nThe heron waits.\n"})


@pytest.fixture
def repo(origin: Path, tmp_path: Path) -> Path:
    """A clone, in a folder whose name a shell would stumble over."""
    git(tmp_path, "clone", "-q", str(origin), "it's a $HOME")
    return tmp_path / "it's a $HOME"


def hooks(repo: Path) -> Path:
    return repo / ".git" / "hooks"


def ours(repo: Path) -> list[str]:
    """Names of what lies among the hooks, but for git's samples."""
    return sorted(path.name for path in hooks(repo).iterdir() if path.suffix != ".sample")


def pull(repo: Path, origin: Path) -> subprocess.CompletedProcess[str]:
    """A pull of a new commit, as somebody at a shell would do it."""
    write(origin, {f"{len(list(origin.iterdir()))}.md": "# Kestrel\n\nThe kestrel hovers.\n"})
    commit_all(origin)
    return subprocess.run(["git", "pull", "-q"], cwd=repo, capture_output=True, text=True, check=False)


def own_hook(repo: Path, name: str = "post-merge") -> Path:
    """A hook that was there before: it writes down what it was called with."""
    path = hooks(repo) / name
    path.write_text('#!/bin/sh\nprintf "%s\\n" "$@" "$GIT_REFLOG_ACTION" > called\nexit 3\n')
    path.chmod(0o755)
    return path


def test_both_hooks_are_written_once(muniment: Muniment, repo: Path) -> None:
    assert muniment("hook", "status", repo).code == 1
    assert [muniment("hook", "install", repo, "--json").json["hooks"] for _ in range(2)] == [
        dict.fromkeys(PULL_HOOKS, "written"),
        dict.fromkeys(PULL_HOOKS, "unchanged"),
    ]
    assert ours(repo) == list(PULL_HOOKS)
    assert all(os.access(hooks(repo) / name, os.X_OK) for name in PULL_HOOKS)
    ran = muniment("hook", "status", repo)
    assert ran.code == 0
    assert "post-merge    installed\n" in ran.out
    assert not git(repo, "status", "--porcelain")


def test_a_hook_in_a_shell_is_well_formed(muniment: Muniment, repo: Path) -> None:
    muniment("hook", "install", repo, "--home", repo / 'a "home" `of` $ours')
    for name in PULL_HOOKS:
        subprocess.run(["sh", "-n", hooks(repo) / name], check=True)


def test_uninstalling_leaves_no_trace(muniment: Muniment, repo: Path) -> None:
    before = ours(repo)
    muniment("hook", "install", repo)
    assert muniment("hook", "uninstall", repo, "--json").json["hooks"] == dict.fromkeys(PULL_HOOKS, "removed")
    assert ours(repo) == before
    assert muniment("hook", "uninstall", repo, "--json").json["hooks"] == dict.fromkeys(PULL_HOOKS, "not there")


def test_the_hook_that_was_there_still_runs(
    muniment: Muniment, repo: Path, origin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "off")
    text = own_hook(repo).read_text()
    muniment("hook", "install", repo)
    assert muniment("hook", "install", repo, "--json").json["hooks"] == dict.fromkeys(PULL_HOOKS, "unchanged")
    assert pull(repo, origin).returncode == 0
    # The arguments of git, and its variables, which are ours to drop and not others'.
    assert (repo / "called").read_text().splitlines() == ["0", "pull -q"]
    muniment("hook", "uninstall", repo)
    assert own_hook(repo).read_text() == text
    assert ours(repo) == ["post-merge"]


def test_a_hook_that_was_turned_off_stays_so(
    muniment: Muniment, repo: Path, origin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__ON_PULL", "off")
    own_hook(repo).chmod(0o644)
    muniment("hook", "install", repo)
    pull(repo, origin)
    assert not (repo / "called").exists()
    muniment("hook", "uninstall", repo)
    assert not os.access(hooks(repo) / "post-merge", os.X_OK)


def test_a_link_is_kept_as_a_link(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    write(tmp_path, {"elsewhere": "#!/usr/bin/env python3\n"})
    (hooks(repo) / "post-merge").symlink_to(tmp_path / "elsewhere")
    muniment("hook", "install", repo)
    assert (tmp_path / "elsewhere").read_text() == "#!/usr/bin/env python3\n"
    muniment("hook", "uninstall", repo)
    assert (hooks(repo) / "post-merge").readlink() == tmp_path / "elsewhere"


def test_another_home_is_written_into_the_hook(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    muniment("hook", "install", repo)
    elsewhere = muniment("hook", "status", repo, "--home", tmp_path / "other")
    assert (elsewhere.code, "calls another muniment, home or settings file" in elsewhere.out) == (1, True)
    assert "post-merge: written" in muniment("hook", "install", repo, "--home", tmp_path / "other").out
    assert str(tmp_path / "other") in (hooks(repo) / "post-merge").read_text()
    assert ours(repo) == list(PULL_HOOKS)


@pytest.mark.parametrize("action", ["install", "uninstall"])
def test_an_edited_hook_is_not_touched(muniment: Muniment, repo: Path, action: str) -> None:
    muniment("hook", "install", repo)
    changed = hooks(repo) / "post-rewrite"
    changed.write_text(changed.read_text().replace("code=0\n", "code=0\necho mine\n"))
    held = {name: (hooks(repo) / name).read_bytes() for name in PULL_HOOKS}
    ran = muniment("hook", action, repo)
    assert (ran.code, ran.out) == (4, "")
    assert "was changed since muniment wrote it" in ran.err
    assert {name: (hooks(repo) / name).read_bytes() for name in PULL_HOOKS} == held


def test_two_strangers_in_one_place_are_refused(muniment: Muniment, repo: Path) -> None:
    muniment("hook", "install", repo)
    (hooks(repo) / "post-merge.before-muniment").touch()
    own_hook(repo)
    ran = muniment("hook", "install", repo)
    assert (ran.code, "neither is ours" in ran.err) == (4, True)


def test_hooks_that_others_share_are_refused(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    """A folder for all repositories, or one that is tracked: husky's and its like."""
    for shared in (tmp_path / "shared", Path(".husky")):
        git(repo, "config", "core.hooksPath", str(shared))
        ran = muniment("hook", "install", repo)
        assert (ran.code, "which is not the repository's own" in ran.err) == (4, True)
        assert not (repo / shared).exists()
    git(repo, "config", "core.hooksPath", ".git/more/hooks/..")
    (repo / ".git/more/hooks").mkdir(parents=True)
    assert muniment("hook", "install", repo).code == 0
    assert (repo / ".git/more/post-merge").is_file()


def test_a_hooks_folder_that_leads_elsewhere_is_refused(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    hooks(repo).rename(tmp_path / "elsewhere")
    hooks(repo).symlink_to(tmp_path / "elsewhere")
    assert muniment("hook", "install", repo).code == 4
    assert not (tmp_path / "elsewhere/post-merge").exists()


def test_all_work_trees_share_the_hooks(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    assert muniment("hook", "install", tmp_path / "second").code == 0
    assert ours(repo) == list(PULL_HOOKS)
    assert muniment("hook", "status", repo).code == 0


def test_a_bare_repository_tells_of_pushes(muniment: Muniment, origin: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(origin), "bare.git")
    assert muniment("hook", "install", tmp_path / "bare.git").code == 0
    assert (tmp_path / "bare.git/hooks/post-receive").is_file()
    assert not (tmp_path / "bare.git/hooks/post-merge").exists()
    told = git(origin, "push", "--porcelain", str(tmp_path / "bare.git"), "HEAD:new")
    assert "[new branch]" in told


def test_a_muniment_that_is_gone_fails_no_pull(repo: Path, origin: Path) -> None:
    install(hooks_folder(str(repo)), ["/gone away/python", "-P", "-m", "muniment", "hook", "run"])
    done = pull(repo, origin)
    assert done.returncode == 0
    assert "the index was not told of this, /gone away/python is gone" in done.stderr
    assert (repo / "heron.md").is_file()


def test_a_folder_in_the_repository_is_enough(muniment: Muniment, repo: Path) -> None:
    (repo / "docs").mkdir()
    assert muniment("hook", "install", repo / "docs").code == 0
    assert ours(repo) == list(PULL_HOOKS)


def test_no_repository_is_said(muniment: Muniment, tmp_path: Path) -> None:
    ran = muniment("hook", "install", tmp_path)
    assert (ran.code, "is not a git repository" in ran.err) == (14, True)


def test_what_is_not_indexed_yet_is_said(muniment: Muniment, repo: Path) -> None:
    assert "is indexed yet, and a hook adds no source" in muniment("hook", "install", repo).err
    muniment("index", repo)
    ran = muniment("hook", "install", repo)
    assert "is indexed yet" not in ran.err
    assert "MUNIMENT_EMBEDDER__NAME is set in this shell" in ran.err


def test_a_fifo_in_the_place_of_a_hook_hangs_nobody(muniment: Muniment, repo: Path) -> None:
    os.mkfifo(hooks(repo) / "post-merge")
    assert "would be kept" in muniment("hook", "status", repo).out
    assert muniment("hook", "install", repo).code == 0


def test_a_hostile_repository_runs_nothing(muniment: Muniment, tmp_path: Path) -> None:
    mark = tmp_path / "SPRUNG"
    hostile = gitzoo.hostile(tmp_path / "zoo", mark)
    for action in ("install", "status", "run", "uninstall"):
        muniment("hook", action, hostile)
    assert not mark.exists()


def test_inherited_variables_lead_nowhere_else(
    muniment: Muniment, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "SPRUNG"
    for name, value in gitzoo.hostile_environment(tmp_path / "zoo", mark).items():
        monkeypatch.setenv(name, value)
    assert muniment("hook", "install", repo).code == 0
    assert (hooks(repo) / "post-merge").is_file()
    assert not (tmp_path / "zoo/elsewhere/repo/.git/hooks/post-merge").exists()
    assert not mark.exists()
