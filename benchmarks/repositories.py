"""Public repositories that the benchmarks read at named commits: where they lie, and the files of a commit."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path

from muniment.gitrun import list_records
from tasks.drift.tree import TextFile, text_file
from tasks.enumerate.blobs import Blobs
from tasks.enumerate.outcomes import Unread

MAX_BYTES = 512_000
HELP = "folder of git repositories, named OWNER+NAME/repo, OWNER/NAME or OWNER/NAME.git"


def find_repository(slug: str, commit: str, repositories: Path) -> Path | None:
    """The folder of the repository `OWNER/NAME` that holds the commit; None where it is not there."""
    for repo in (repositories / slug.replace("/", "+") / "repo", repositories / slug, repositories / f"{slug}.git"):
        known = repo.is_dir() and subprocess.run(["git", "-C", repo, "cat-file", "-e", commit], check=False)
        if known and known.returncode == 0:
            return repo
    return None


def list_at(repo: Path, commit: str, paths: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Path and blob of every regular file of a commit; only these paths, where some are named."""
    for (mode, _, blob), raw in list_records(str(repo), "ls-tree", "-r", "-z", "--full-tree", commit, *paths):
        if mode.startswith("100"):
            yield raw.decode(errors="backslashreplace"), blob


def read_at(blobs: Blobs, path: str, blob: str) -> TextFile | None:
    """The file, where it is text and not too large."""
    try:
        made = text_file(path, blobs.read(blob, MAX_BYTES), blob)
    except Unread:
        return None
    return made if isinstance(made, TextFile) else None
