"""The history of files along the main line: which commits touched them, and what they were before, by one `git log`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from muniment.gitrun import find_head, list_records, run

HORIZON = 20_000
"""Commits of the main line that are looked through for those that touch a file: 0.3 s a thousand, for 300 files."""

MAX_FILES = 300
"""Files whose history is walked."""

_MAX_COMMITS = 5_000

# Raw differences name blobs, so that git opens none: no driver, no text conversion, no search for renames. The rest
# takes back what a repository's settings may say of `log`.
_LOG = (
    *("-c", "log.showRoot=true", "log", "-z", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames"),
    *("--no-ext-diff", "--no-textconv", "--no-follow", "--no-notes", "--no-color", "--no-relative", "-O/dev/null"),
    *("--ignore-submodules=all", "--format=%H %P"),
)


class Change(NamedTuple):
    """One commit that touched a file."""

    age: int
    """0 for the newest of all commits that were listed."""
    commit: str
    first: bool
    """It has no parent, or none that this clone has."""
    before: str
    """The file's blob in the commit's parent; zeros where it was not there."""


@dataclass(slots=True)
class History:
    """What git says of the files."""

    shallow: bool = False
    now: dict[str, str] = field(default_factory=dict)
    """Path -> blob at HEAD."""
    changes: dict[str, list[Change]] = field(default_factory=lambda: defaultdict(list))
    """Path -> what touched it, newest first."""


def read_history(repository: str, paths: Sequence[str], max_commits: int) -> History:
    """What git says of some files of the repository or of its folder, at HEAD and before. Raises SourceUnreadable."""
    head = find_head(repository, need_commit=False)
    if not head.commit:
        return History()
    listed = list_records(repository, "ls-tree", "-z", head.commit, "--", *paths)
    history = History(now={name.decode(errors="replace"): words[2] for words, name in listed if words[1] == "blob"})
    history.shallow = run(repository, "rev-parse", "--is-shallow-repository").strip() == b"true"
    oldest = run(repository, "rev-list", "--first-parent", "-n1", f"--skip={HORIZON}", head.commit).decode().strip()
    limit = min(max_commits * len(paths), _MAX_COMMITS)
    revisions = (f"-n{limit}", head.commit, *([f"^{oldest}"] if oldest else []))
    logged = run(repository, *_LOG, *revisions, "--", *paths)
    for path, change in _parse(logged, head.prefix):
        history.changes[path].append(change)
    return history


def _parse(logged: bytes, prefix: bytes) -> Iterator[tuple[str, Change]]:
    """The changes in git's raw format with `-z`: a commit and its parents, then words and a path for each file."""
    age, commit, parents = -1, "", [""]
    parts = iter(logged.split(b"\0"))
    for part in parts:
        if part.lstrip(b"\n").startswith(b":"):
            path = next(parts, b"").removeprefix(prefix).decode(errors="replace")
            yield path, Change(age, commit, not parents, part.split()[2].decode())
        elif part.strip():
            age, (commit, *parents) = age + 1, part.decode().split()
