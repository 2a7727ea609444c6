"""Published states of the index: the pointer file, its history, and the locks.

Standard library only, and named tuples rather than dataclasses, whose import alone is a fifth of a run with nothing to
do: that run reads nothing but this.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from muniment.errors import ForeignIndex, NoIndex, UsageError

POINTER = "current.json"
HISTORY = "generations"
FORMAT = "muniment-index"


class TableVersion(NamedTuple):
    """Which table, and which version of it, a generation reads."""

    name: str
    version: int


class SourceState(NamedTuple):
    """What a generation holds of one source."""

    name: str
    path: str
    kind: str
    worktree: bool
    commit: str
    inputs: str
    """Digest of everything but the commit that decides what is indexed: settings, patterns, versions."""
    documents: int
    """What anybody is shown: without those that are withheld."""
    chunks: int
    skipped: dict[str, int]
    withheld: dict[str, int] = {}  # noqa: RUF012 - never changed
    """Sensitivity -> documents that readers pass over unless the operator admits them."""
    withheld_chunks: int = 0
    left_out: dict[str, int] = {}  # noqa: RUF012 - never changed
    """Type -> notes of a vault that are not indexed for their type."""


class Generation(NamedTuple):
    """One published state of the index: everything a reader needs to know before it opens a table."""

    number: int
    published_at: str
    schema: int
    fingerprint: str
    chunker: str
    embedder: str
    """Name of the embedder that made the fingerprint, for messages."""
    dimension: int
    pending: int
    """Chunks that still wait for their vectors."""
    pending_reason: str
    run: str
    tables: dict[str, TableVersion]
    sources: dict[str, SourceState]


def admitting(generation: Generation) -> Generation:
    """The generation as it is to somebody from whom nothing is withheld."""
    sources = {
        name: state._replace(
            documents=state.documents + sum(state.withheld.values()),
            chunks=state.chunks + state.withheld_chunks,
            withheld={},
            withheld_chunks=0,
        )
        for name, state in generation.sources.items()
    }
    return generation._replace(sources=sources)


def as_json(generation: Generation) -> dict[str, Any]:
    """The generation as it stands in its file."""
    tables = {name: table._asdict() for name, table in generation.tables.items()}
    sources = {name: source._asdict() for name, source in generation.sources.items()}
    return {**generation._asdict(), "tables": tables, "sources": sources}


def read_current(index: Path) -> Generation | None:
    """The published generation, or None where nothing was ever published here.

    Raises ForeignIndex when the pointer is torn, is not muniment's, or was written by a newer muniment.
    """
    try:
        text = (index / POINTER).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ForeignIndex(f"can't read '{index / POINTER}': {error}", "run 'muniment doctor'") from error
    return _parse(text, index / POINTER)


@contextlib.contextmanager
def held_generation(index: Path, number: int | None = None) -> Iterator[Generation]:
    """The published generation, or the earlier one of this number; not reclaimed until the block ends.

    A shared kernel lock on the generation's own file; the writer reclaims only what it can lock alone.
    Raises NoIndex when nothing is published, UsageError for a number that is not kept.
    """
    while True:
        generation = read_current(index)
        if generation is None:
            raise NoIndex(f"no index at '{index}'", "build one with 'muniment index PATH'")
        wanted = generation.number if number is None else number
        try:
            handle = os.open(_history_file(index, wanted), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            if wanted != generation.number:
                raise _not_kept(index, wanted) from None
            if read_current(index) == generation:
                raise ForeignIndex(
                    f"index at '{index}' has lost generation {generation.number}",
                    "rebuild it with 'muniment index --force'",
                ) from None
            continue  # reclaimed between the two reads: a newer one is published
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            # Reclaimed while we waited for the lock: the file has no name any more.
            if os.fstat(handle).st_nlink == 0:
                continue
            yield generation if wanted == generation.number else _read_earlier(index, wanted)
            return
        finally:
            os.close(handle)


def kept_generations(index: Path) -> list[Generation]:
    """The published generations that can still be read, newest first."""
    kept = []
    for path in sorted((index / HISTORY).glob("[0-9]*.json"), reverse=True):
        with contextlib.suppress(FileNotFoundError):  # reclaimed since it was listed
            kept.append(_parse(path.read_text(encoding="utf-8"), path))
    return kept


def _read_earlier(index: Path, number: int) -> Generation:
    path = _history_file(index, number)
    return _parse(path.read_text(encoding="utf-8"), path)


def _not_kept(index: Path, number: int) -> UsageError:
    kept = ", ".join(str(generation.number) for generation in kept_generations(index))
    return UsageError(f"generation {number} is not kept", f"kept are: {kept}; index.keep_generations says how many")


def publish(index: Path, generation: Generation) -> None:
    """Makes a generation the one that readers see: its own file first, then the pointer, each replaced whole."""
    text = json.dumps({"format": FORMAT, **as_json(generation)}, indent=1, sort_keys=True) + "\n"
    history = _history_file(index, generation.number)
    history.parent.mkdir(exist_ok=True)
    for path in (history, index / POINTER):
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)


def reclaim(index: Path, keep: int) -> list[Generation]:
    """The generations still needed, newest first, after forgetting the others that no reader holds.

    Always keeps the newest `keep`.
    """
    files = sorted((index / HISTORY).glob("[0-9]*.json"), reverse=True)
    kept = files[:keep]
    for path in files[keep:]:
        with path.open("rb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                kept.append(path)
            else:
                path.unlink()
    return [_parse(path.read_text(encoding="utf-8"), path) for path in kept]


def _history_file(index: Path, number: int) -> Path:
    return index / HISTORY / f"{number:08d}.json"


def _parse(text: str, path: Path) -> Generation:
    try:
        values: dict[str, Any] = json.loads(text)
        if values.pop("format") != FORMAT:
            raise ValueError
        tables = {name: TableVersion(**table) for name, table in values.pop("tables").items()}
        sources = {name: SourceState(**source) for name, source in values.pop("sources").items()}
        return Generation(tables=tables, sources=sources, **values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ForeignIndex(
            f"'{path}' is torn, or was not written by this muniment", "move the folder away and index again"
        ) from error
