"""What the last run saw of a source's working copies, kept beside the index. Standard library only (no-op path).

Only ever a shortcut: a file that is lost, torn or old makes the next run read more, never less.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from schemas.files import Listing, Source
from schemas.stated import NOTHING_STATED, Stated
from tasks.enumerate import reader
from tasks.enumerate.stats import NOTHING_SEEN, Seen, Stat
from tasks.identify import doc_id


@runtime_checkable
class Remembering(Protocol):
    """A reader that knows files by their stat: `stats` is what to hand to the next run."""

    stats: dict[str, Stat]


def load_seen(folder: Path, source: Source) -> Seen:
    """What the last run saw of the source; nothing where that is not known."""
    return _load(folder, source)[0]


def save_seen(folder: Path, source: Source, at_ns: int, listing: Listing, stats: Mapping[str, Stat]) -> None:
    """Keeps what a run that started at `at_ns` saw, in place of what was kept before."""
    folder.mkdir(exist_ok=True)
    path = _file(folder, source)
    beside = path.with_suffix(".new")
    from muniment.inert import write_json  # not on the way of a run with nothing to do

    kept = write_json({"at_ns": at_ns, "names": _names(listing), "stats": stats})
    beside.write_text(kept, encoding="utf-8")
    beside.replace(path)


def is_as_seen(folder: Path, source: Source) -> bool:
    """Whether the files of a source outside git, or its working copies, are the very ones that the last run saw.

    Of files that are no documentation only the names count.
    """
    seen, names = _load(folder, source)
    files = reader(source, seen)
    if not isinstance(files, Remembering):
        return False
    return _names(files.list_files()) == names and files.stats.keys() == seen.stats.keys()


def is_torn(folder: Path, source: Source) -> bool:
    """Whether what is kept of the source can't be read; without any there is nothing to be torn."""
    return _file(folder, source).exists() and _load(folder, source) == (NOTHING_SEEN, "")


def forgotten(folder: Path, sources: Iterable[Source]) -> list[Path]:
    """The files of what was seen of other sources than these."""
    return sorted(set(folder.glob("*.json")) - {_file(folder, source) for source in sources})


def _names(listing: Listing) -> str:
    # A file that is not checked out has no stat of its own: its blob id tells whether it changed.
    # Nor have sidecars one that is kept: what they state stands for them.
    listed = [
        [entry.path, entry.content_id if entry.size < 0 else "", *_told(entry.stated)] for entry in listing.entries
    ]
    return hashlib.sha256(json.dumps([listed, [skipped.path for skipped in listing.skipped]]).encode()).hexdigest()


def _told(stated: Stated) -> list[str]:
    return [] if stated == NOTHING_STATED else [repr(stated)]


def _load(folder: Path, source: Source) -> tuple[Seen, str]:
    try:
        kept = json.loads(_file(folder, source).read_bytes())
        return Seen(kept["at_ns"], {path: Stat(*stat) for path, stat in kept["stats"].items()}), kept["names"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return NOTHING_SEEN, ""


def _file(folder: Path, source: Source) -> Path:
    return folder / f"{doc_id(source.name, source.path)}.json"
