"""Whether an index run would change nothing, decided without loading what an index run needs.

Standard library only, and one git call for a committed source: this is what a hook runs after every pull.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from muniment import __version__
from muniment.generation import read_current
from muniment.gitrun import head_commit
from muniment.home import Config
from schemas.generations import Generation, SourceState
from schemas.versions import CHUNKER, FACTS, SCHEMA_VERSION

SEEN = "seen"
"""Folder of the index for what earlier runs saw of working copies."""
_PLACES = {"MUNIMENT_HOME", "MUNIMENT_CONFIG"}


class Wanted(NamedTuple):
    """A source as asked for on the command line or in the settings file."""

    path: str
    worktree: bool


def inputs_digest(config: Config, environ: Mapping[str, str], *, worktree: bool) -> str:
    """Names everything but the commit that decides what is indexed: equal digests and commits give equal indexes.

    Before the dot stand the settings, which are the operator's, behind it the versions, which come with a release.
    """
    own = sorted((key, value) for key, value in environ.items() if key.startswith("MUNIMENT_") and key not in _PLACES)
    parts = ([config.text, own, worktree], [__version__, SCHEMA_VERSION, CHUNKER, FACTS])
    return ".".join(hashlib.sha256(json.dumps(part).encode()).hexdigest()[:32] for part in parts)


def wanted_sources(paths: Sequence[str], config: Config, published: Generation, *, worktree: bool) -> list[Wanted]:
    """What a run is asked to refresh: the given paths, else the configured sources, else those of the index."""
    if paths:
        return [Wanted(str(Path(path).absolute()), worktree) for path in paths]
    if config.path and (configured := config.values.get("sources")):
        base = config.path.absolute().parent
        return [
            Wanted(
                str((base / Path(str(source.get("path", ""))).expanduser()).absolute()),
                worktree or source.get("worktree") is True,
            )
            for source in configured
        ]
    return [Wanted(state.path, worktree or state.worktree) for state in published.sources.values()]


def nothing_to_do(
    index: Path, paths: Sequence[str], config: Config, environ: Mapping[str, str], *, worktree: bool
) -> Generation | None:
    """The published generation, where a run over these sources would publish the same again; else None.

    Raises SourceUnreadable or ForeignIndex, as the run itself would.
    """
    published = read_current(index)
    if published is None or published.pending or not published.sources:
        return None
    if (url := _shared_at(config, environ)) and not _is_pushed(index, url, published.number):
        return None
    wanted = wanted_sources(paths, config, published, worktree=worktree)
    states = {state.path: state for state in published.sources.values()}
    for source in wanted:
        state = states.get(source.path)
        if state is None or not _is_as_published(index, state, source, config, environ):
            return None
    return published


def _shared_at(config: Config, environ: Mapping[str, str]) -> str:
    scale = config.values.get("scale")
    return environ.get("MUNIMENT_SCALE__URL") or (str(scale.get("url") or "") if isinstance(scale, dict) else "")


def _is_pushed(index: Path, url: str, number: int) -> bool:
    from muniment.store.shared import is_pushed

    return is_pushed(index, url, number)


def _is_as_published(
    index: Path, state: SourceState, wanted: Wanted, config: Config, environ: Mapping[str, str]
) -> bool:
    # Outside git there is nothing but the files as they lie there.
    git = state.kind == "git"
    if git and state.worktree != wanted.worktree:
        return False
    if state.inputs != inputs_digest(config, environ, worktree=state.worktree):
        return False
    if git and state.commit != head_commit(state.path):
        return False
    return _is_as_seen(index, state) if state.worktree or not git else True


def _is_as_seen(index: Path, state: SourceState) -> bool:
    from schemas.files import Source
    from tasks.enumerate.seen import is_as_seen

    return is_as_seen(index / SEEN, Source(state.name, state.path, state.kind, worktree=state.worktree))
