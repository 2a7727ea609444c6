"""`drift` as the hook that ships runs it before a commit."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT, git, make_repo, write
from tests.muniment.cli.kestrel import FILES, MENDED, README, TEMPLATE


def hook() -> dict[str, Any]:
    (only,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return dict(only)


@pytest.fixture
def hooked(tmp_path: Path) -> Path:
    """A repository whose commits run the hook that ships, with the names that pre-commit would give it."""
    repo = make_repo(tmp_path / "repo", {**FILES, "README.md": MENDED})
    script = f"""#!/bin/sh
PATH='{Path(sys.executable).parent}':$PATH
export MUNIMENT_DRIFT__CHECKS='["default"]' MUNIMENT_DRIFT__MAX_COMMITS=0
git diff --cached --name-only -z --diff-filter=d | xargs -0 -r {hook()["entry"]}
"""
    path = repo / ".git" / "hooks" / "pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(script)
    path.chmod(0o755)
    return repo


def committed(repo: Path, *words: str) -> bool:
    """Whether a commit goes through. Its author is that of the tests."""
    before = git(repo, "rev-parse", "HEAD")
    try:
        git(repo, "commit", "-q", "-m", "change", *words)
    except subprocess.CalledProcessError as refused:
        assert "disagrees with the repository" in refused.stdout + refused.stderr  # noqa: PT017
    return git(repo, "rev-parse", "HEAD") != before


@pytest.mark.parametrize(
    "changed",
    [{"README.md": README}, {"conf/kestrel.conf.template": TEMPLATE.replace("600", "900")}],
    ids=["document", "truth"],
)
@pytest.mark.parametrize("how", ["staged", "all", "path"])
def test_the_hook_stops_a_commit_that_brings_drift(hooked: Path, changed: dict[str, str], how: str) -> None:
    write(hooked, changed)
    if how == "staged":
        git(hooked, "add", "-A")
    assert not committed(hooked, *{"staged": [], "all": ["-a"], "path": ["--", *changed]}[how])


def test_the_hook_lets_other_commits_through(hooked: Path) -> None:
    write(hooked, {"README.md": README})
    commit_all_unhooked = ("-c", "core.hooksPath=/dev/null", "commit", "-qam", "drift slips in")
    git(hooked, *commit_all_unhooked)
    write(hooked, {"docs/other.md": "# Other\n\nSomething.\n"})
    assert committed(hooked, "-a")
    write(hooked, {"README.md": MENDED})
    assert committed(hooked, "-a")


def test_the_hook_reads_what_is_staged_only(hooked: Path) -> None:
    write(hooked, {"README.md": README.replace("night", "noon")})
    write(hooked, {"docs/other.md": "# Other\n\nSomething.\n"})
    git(hooked, "add", "docs/other.md")
    assert committed(hooked)


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    assert hook().keys() >= {"id", "name", "entry", "language", "types"}
    assert hook()["entry"].endswith("--only --")
