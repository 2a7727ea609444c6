"""What an index run is asked to do: plain values, made at the door from settings and flags."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from flows.spread import check_dask
from muniment.assembly import LOG
from muniment.chosen import embedder_choice, shared_bucket
from muniment.embedders import EmbedderChoice
from muniment.errors import UsageError
from muniment.generation import read_current
from muniment.home import Config
from muniment.noop import SEEN, inputs_digest
from muniment.settings import Settings
from muniment.settings.sources import as_vault, configured_sources, largest
from muniment.store.bucket import BucketChoice
from schemas.effectiveness import EffectivenessReport
from schemas.files import Source
from schemas.generations import SourceState
from tasks.changes import SLICE_FILES

_ODD = re.compile(r"[^\w./ -]")
"""What means something in a pattern, and may stand in a folder's name."""


@dataclass(frozen=True, slots=True)
class IndexJob:
    """One run over some or all sources of an index."""

    index: Path
    runs: Path
    """Folder that each run's own folder with its run.json is put in."""
    sources: tuple[Source, ...]
    embedder: EmbedderChoice
    others: tuple[Source, ...] = ()
    """Sources that the index holds besides: left alone, and read again only when all tables are built anew."""
    log: Path | None = None
    """Folder of the assembly log; without one, nothing is counted."""
    used: EffectivenessReport | None = None
    """What was counted in it just now; None: the run counts."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Source name -> digest of everything but the commit that decides what is indexed."""
    keep_generations: int = 2
    rebuild: bool = False
    """Start from empty tables, built beside the published ones."""
    allow_shrink: bool = False
    engine: str = "direct"
    dask: str = ""
    """Address of the Dask scheduler that the Prefect engine hands texts to; empty: they are embedded here."""
    shared: BucketChoice | None = None
    """The bucket that generations are pushed to, and that a run begins with what it finds in."""
    spare_orphans: timedelta = timedelta(days=1)
    """Objects in it that are younger may belong to a generation that somebody is pushing."""
    truth_order: tuple[str, ...] = ()
    """Truth readers that win over the others when claims are judged."""
    stamp_claims: bool = False
    """Note of every claim that it was seen now, also where nothing else has changed."""
    slice_files: int = SLICE_FILES
    """Changed files that are cut and written at a time."""
    run: str = ""
    """Id of the run, from `make_run_id`; empty: the run makes its own."""

    @property
    def seen(self) -> Path:
        """Folder of what earlier runs saw of the sources."""
        return self.index / SEEN


def make_job(
    settings: Settings,
    config: Config,
    home: Path,
    environ: Mapping[str, str],
    *,
    paths: Sequence[str] = (),
    name: str = "",
    worktree: bool = False,
) -> IndexJob:
    """The job for the given paths, else for the configured sources, else for those that the index holds.

    Raises UsageError when that is nothing, or when a name already means another path.
    """
    configured = configured_sources(settings, config)
    # What was read with --worktree once is read so again only when nobody says how: a path on its own means HEAD.
    held = {source.name: source for source in _held_sources(home / "index", settings)} | {s.name: s for s in configured}
    asked = (
        [_at_path(path, name, held, configured, settings) for path in paths] or list(configured) or list(held.values())
    )
    if not asked:
        raise UsageError(
            "nothing to index: no path given, no sources in the settings, no index yet", "try 'muniment index PATH'"
        )
    sources = tuple(_apart(replace(one, worktree=one.worktree or worktree), home) for one in asked)
    names = {source.name for source in sources}
    others = tuple(_apart(source, home) for source in held.values() if source.name not in names)
    return IndexJob(
        index=home / "index",
        runs=home / "runs",
        sources=sources,
        others=others,
        log=home / LOG,
        truth_order=settings.drift.order,
        embedder=embedder_choice(settings),
        inputs={s.name: inputs_digest(config, environ, worktree=s.worktree) for s in (*sources, *others)},
        keep_generations=settings.index.keep_generations,
        dask=check_dask(settings.scale.dask_address, settings.egress_ack),
        shared=shared_bucket(settings),
        spare_orphans=timedelta(hours=settings.scale.orphan_hours),
    )


def _apart(source: Source, home: Path) -> Source:
    """The source as it can be read: outside git there is no work tree, and what we write there is nobody's document."""
    if source.kind == "git":
        return source
    inside = home.is_relative_to(source.path) and home != Path(source.path)
    own = _ODD.sub("?", str(home.relative_to(source.path))) if inside else ""
    return replace(source, worktree=False, exclude=(*source.exclude, *([f"/{own}/"] if own else [])))


def _held_sources(index: Path, settings: Settings) -> list[Source]:
    published = read_current(index)
    return [_held(state, settings) for state in (published.sources.values() if published else ())]


def _held(state: SourceState, settings: Settings) -> Source:
    plain = _with_defaults(state.name, state.path, settings)
    made = replace(plain, kind=state.kind, worktree=state.worktree, max_bytes=largest(state.kind, settings))
    return as_vault(made, settings.vault) if state.kind == "vault" else made


def _at_path(
    path: str, name: str, held: Mapping[str, Source], configured: Sequence[Source], settings: Settings
) -> Source:
    """The source at a path: the one already known there, else a new one named after its folder."""
    place = str(Path(path).absolute())
    if known := next((source for source in held.values() if source.path == place and name in ("", source.name)), None):
        return known if known in configured else replace(known, worktree=False)
    # As names of files are read that are not UTF-8: `caf\\xe9`.
    own = Path(place).resolve().name.encode(errors="surrogateescape").decode(errors="backslashreplace")
    chosen = name or own or "root"
    if chosen in held:
        raise UsageError(
            f"the name '{chosen}' already means '{held[chosen].path}'",
            "give this one another with --name, or use another --home",
        )
    return _with_defaults(chosen, place, settings)


def _with_defaults(name: str, path: str, settings: Settings) -> Source:
    own = settings.index
    return Source(
        name=name,
        path=path,
        include=own.include,
        exclude=own.exclude,
        max_bytes=own.max_bytes,
        withhold_secrets=own.secrets == "withhold",
    )
