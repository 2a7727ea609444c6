"""Measures of a generation as a whole and of each of its sources: what it claims against what is there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from muniment.errors import SourceUnreadable
from muniment.gitrun import head_commit
from muniment.inert import one_line
from schemas.columns import TABLES
from schemas.files import Source
from schemas.generations import Generation, SourceState
from tasks.enumerate.seen import is_as_seen
from tasks.quality.measures import Facts, measure

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.store.reader import Reader

LAST_RUNS = 10
"""So many runs before the published one say what is usual."""
_DAY_S = 86_400

Run = Mapping[str, Any]
"""A run.json, as parsed."""


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What is known of a source besides the tables."""

    state: SourceState
    current: bool
    """The generation holds what the source says now; False also where that can't be told."""
    usual: Mapping[str, float]
    """`documents` and `chunks` -> the median of the last runs; empty where there were none."""


def measure_published(reader: Reader, seen: Path, runs: Path, now: datetime) -> dict[str, pa.Table]:
    """The reader's tables with their measures, and `generation` and `sources` besides.

    `seen` is the folder of what runs saw of working copies, `runs` that of the run ledger.
    """
    generation = reader.generation
    tables = {
        name: reader.rows(name, _columns(name, generation.dimension)) for name in TABLES if name in generation.tables
    }
    ledger = read_runs(runs)
    known = [
        SourceFacts(state, is_current(state, seen), usual_counts(ledger, generation, state.name))
        for state in generation.sources.values()
    ]
    published_by = next((run for run in ledger if run.get("run") == generation.run), None)
    return {
        **measure(tables, Facts(now, generation.dimension)),
        "generation": generation_rows(generation, tables["chunks"], published_by),
        "sources": source_rows(generation, known, tables, now),
    }


def _columns(table: str, dimension: int) -> list[str]:
    return [column.name for column in TABLES[table] if dimension or column.type != "vector"]


def token_cap(generation: Generation) -> int:
    """The most tokens of a chunk, as the generation's chunker was told: the number at the end of its name."""
    return int(generation.chunker.rpartition("/")[2])


def is_current(state: SourceState, seen: Path) -> bool:
    """Whether the index holds what the source says now; False also where the source can't be read."""
    try:
        if state.kind == "git":
            if head_commit(state.path) != state.commit:
                return False
            if not state.worktree:
                return True
        return is_as_seen(seen, Source(state.name, state.path, state.kind, worktree=state.worktree))
    except SourceUnreadable:
        return False


def generation_rows(generation: Generation, chunks: pa.Table, run: Run | None) -> pa.Table:
    """One row: key, place, one_fingerprint, pending_counted (null where the index has no vectors).

    `chunks` is the stored table, `run` the record of the run that published, where it is still there.
    """
    import pyarrow as pa

    width = chunks.schema.field("vector").type.list_size if "vector" in chunks.column_names else 0
    named = (generation.fingerprint, generation.chunker)
    recorded = (run.get("fingerprint"), run.get("chunker")) if run else named
    lacking = chunks["vector"].null_count if width else None
    # Those that are withheld are counted as pending, and are not in the rows.
    withheld = sum(state.withheld_chunks for state in generation.sources.values())
    row = {
        "key": str(generation.number),
        "place": f"generation {generation.number}, made with {generation.fingerprint}",
        "one_fingerprint": width == generation.dimension and recorded == named and bool(generation.fingerprint),
        "pending_counted": None if lacking is None else 0 <= generation.pending - lacking <= withheld,
    }
    fields: dict[str, pa.DataType] = dict.fromkeys(("key", "place"), pa.string())
    fields |= dict.fromkeys(("one_fingerprint", "pending_counted"), pa.bool_())
    return pa.Table.from_pylist([row], pa.schema(fields))


def source_rows(
    generation: Generation, sources: Sequence[SourceFacts], tables: Mapping[str, pa.Table], now: datetime
) -> pa.Table:
    """One row a source: key, place, counted, days_behind (0 where it is current), documents_ratio, chunks_ratio."""
    import pyarrow as pa

    held = {what: _by_source(tables[what]) for what in ("documents", "chunks")}
    age = (now - datetime.fromisoformat(generation.published_at)).total_seconds() / _DAY_S
    rows = [
        {
            "key": facts.state.name,
            "place": one_line(f"{facts.state.name} at {facts.state.path}"),
            "counted": all(held[what].get(facts.state.name, 0) == getattr(facts.state, what) for what in held),
            "days_behind": 0.0 if facts.current else age,
        }
        | {f"{what}_ratio": _ratio(getattr(facts.state, what), facts.usual.get(what, 0)) for what in held}
        for facts in sources
    ]
    fields: dict[str, pa.DataType] = {"key": pa.string(), "place": pa.string(), "counted": pa.bool_()}
    fields |= dict.fromkeys(("days_behind", "documents_ratio", "chunks_ratio"), pa.float64())
    return pa.Table.from_pylist(rows, pa.schema(fields))


def _by_source(table: pa.Table) -> dict[str, int]:
    counts = table.group_by("source").aggregate([([], "count_all")])
    return {row["source"]: row["count_all"] for row in counts.to_pylist()}


def _ratio(now: int, usual: float) -> float | None:
    return now / usual if usual else None


def read_runs(runs: Path) -> list[Run]:
    """The records of the runs that are still kept, oldest first; what can't be read as one is left out."""
    # A run's name begins with its time.
    found = [_read(path / "run.json") for path in sorted(runs.iterdir())] if runs.is_dir() else []
    return [run for run in found if run is not None]


def _read(path: Path) -> Run | None:
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return run if isinstance(run, dict) and isinstance(run.get("sources"), list) else None


def usual_counts(runs: Sequence[Run], generation: Generation, source: str) -> dict[str, float]:
    """The median documents and chunks of a source in the last runs before the one that published this generation."""
    before = [run for run in runs if isinstance(run.get("generation"), int) and run["run"] < generation.run]
    counts = [own for run in before for own in run["sources"] if own.get("name") == source][-LAST_RUNS:]
    return {what: median(own.get(what, 0) for own in counts) for what in ("documents", "chunks")} if counts else {}
