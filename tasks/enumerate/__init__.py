"""The kinds of sources, and the reader of each."""

from collections.abc import Callable, Mapping

from muniment.errors import UsageError
from schemas.files import Source, SourceReader
from tasks.enumerate.archive import Archive
from tasks.enumerate.git import Commit
from tasks.enumerate.stats import NOTHING_SEEN, Seen
from tasks.enumerate.vault import Vault
from tasks.enumerate.worktree import WorkingCopies


def _read_git(source: Source, seen: Seen) -> SourceReader:
    return WorkingCopies(source, seen) if source.worktree else Commit(source)


READERS: Mapping[str, Callable[[Source, Seen], SourceReader]] = {"git": _read_git, "vault": Vault, "archive": Archive}


def reader(source: Source, seen: Seen = NOTHING_SEEN) -> SourceReader:
    """What lists and reads a source's files; `seen` spares reading files that are as the last run saw them.

    Raises UsageError for a kind that is not in `READERS`.
    """
    if source.kind not in READERS:
        raise UsageError(f"no source kind {source.kind!r}", "choose one of: " + ", ".join(READERS))
    return READERS[source.kind](source, seen)
