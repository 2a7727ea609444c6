"""When to index again: after files of the sources have changed, and settled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.errors import SourceUnreadable
from schemas.files import Source

if TYPE_CHECKING:
    from watchfiles import Change

LOOK_MS = 1_000
"""How often is looked whether a folder was taken away, or put back: its own end is no change inside it."""
UNSETTLED_MS = 20_000
"""Changes that never settle are taken as they are after this time."""
_HEADS = frozenset({"HEAD", "packed-refs"})
_NEVER_ENTERED = frozenset({"node_modules"})

Identity = tuple[int, int] | None


def watched_folders(sources: Iterable[Source]) -> list[Path]:
    """The folders in which the sources change: of a folder inside a repository, the repository."""
    return sorted({_top(Path(source.path)) if source.kind == "git" else Path(source.path) for source in sources})


def wakes(folders: Sequence[Path], home: Path, settle_ms: int, owed: Callable[[], bool]) -> Iterator[None]:
    """One item at once, one whenever files in the folders have changed and then settled, and so on without end.

    Also one whenever a folder is taken away or put back, and one a second while a run is owed. What lies in hidden
    folders or in the home does not count. Raises SourceUnreadable where the system can't watch so much.
    """
    yield
    while True:
        standing = _identities(folders)
        # The first wake tells of what changed before the watch began.
        missed = True
        for changed in _watch([folder for folder, who in standing.items() if who], home, settle_ms):
            gone = _identities(folders) != standing
            if changed or missed or gone or owed():
                yield
            missed = False
            if gone:
                break


def _top(folder: Path) -> Path:
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)


def _identities(folders: Sequence[Path]) -> dict[Path, Identity]:
    return {folder: _identity(folder) for folder in folders}


def _identity(folder: Path) -> Identity:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _watch(folders: Sequence[Path], home: Path, settle_ms: int) -> Iterator[bool]:
    """Whether something changed, at least once in `LOOK_MS`; ends where a folder can't be watched any more."""
    from watchfiles import watch

    if not folders:
        time.sleep(LOOK_MS / 1000)
        yield False
        return
    try:
        for changes in watch(
            *folders,
            watch_filter=_counts(folders, home),
            step=settle_ms,
            debounce=UNSETTLED_MS,
            rust_timeout=max(LOOK_MS, 2 * settle_ms),
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            yield bool(changes)
    except FileNotFoundError:
        return
    except OSError as error:
        raise SourceUnreadable(
            f"can't watch {len(folders)} folders: {error}", "raise fs.inotify.max_user_watches, or name fewer"
        ) from error


def _counts(folders: Sequence[Path], home: Path) -> Callable[[Change, str], bool]:
    def counts(_change: Change, name: str) -> bool:
        path = Path(name)
        inside = next((path.relative_to(folder).parts for folder in folders if path.is_relative_to(folder)), ())
        if path.is_relative_to(home):
            return False
        if ".git" in inside:
            return inside[-1] in _HEADS or "refs" in inside
        return not any(part.startswith(".") or part in _NEVER_ENTERED for part in inside)

    return counts
