"""Evaluate: the report on a log, and its rows for the effectiveness table."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.assembly import NAMED
from muniment.errors import UsageError
from schemas.columns import EFFECTIVENESS, arrow_schema
from schemas.effectiveness import BYS, ENOUGH, By, Effect, EffectivenessReport
from tasks.effectiveness.count import BEFORE, NOW, Count, Tally, Windows, count_log
from tasks.effectiveness.intervals import Share, change, wilson
from tasks.effectiveness.lines import Part

if TYPE_CHECKING:
    import pyarrow as pa

WINDOW_HOURS = 168
MAX_WINDOW_HOURS = 24 * 366 * 20
_DAY = re.compile(r"assembly-(\d{4}-\d\d-\d\d)\.jsonl")


def evaluate_effectiveness(log: Path, now: datetime, window_hours: int = WINDOW_HOURS) -> EffectivenessReport:
    """What was used of what the assemblies of the last `window_hours` gathered, by type, kind and section.

    `now` is aware of its zone; what was logged later is not looked at. A log that is not there is an empty one.
    Raises UsageError where a file of the log can't be read.
    """
    windows = Windows(now.astimezone(UTC), timedelta(hours=window_hours))
    try:
        tally = count_log(list(_parts(log, windows)), windows)
    except OSError as error:
        raise UsageError(f"can't read '{error.filename}': {error.strerror}", "check its owner and mode") from error
    return EffectivenessReport(
        window_hours=window_hours,
        since=windows.since,
        until=windows.until,
        assemblies=tally.whole.assemblies,
        assembled=tally.whole.assembled,
        used=tally.whole.used,
        effects=tuple(effect for by in BYS for effect in _effects(tally, by)),
        lines=tally.lines,
        unreadable=tally.unreadable,
        samples=tuple(tally.samples),
    )


def as_rows(report: EffectivenessReport) -> pa.Table:
    """The report as rows of the effectiveness table."""
    import pyarrow as pa

    rows = [
        {
            **asdict(effect),
            "effect_id": _effect_id(effect, report.window_hours),
            "window_hours": report.window_hours,
            "last_eval_at": report.until,
        }
        for effect in report.effects
    ]
    return pa.Table.from_pylist(rows, schema=arrow_schema(EFFECTIVENESS))


def _effect_id(effect: Effect, window_hours: int) -> str:
    return hashlib.sha256("\0".join((effect.by, effect.name, str(window_hours))).encode()).hexdigest()[:32]


def _parts(log: Path, windows: Windows) -> Iterator[Part]:
    """The files that can hold a line of the two windows, in the order of their names."""
    # A file is named for the day in UTC; a day is added for lines whose writer meant another zone's.
    first = (windows.since - windows.length - timedelta(days=1)).date()
    last = (windows.until + timedelta(days=1)).date()
    for path in sorted(log.glob(NAMED)):
        day = _day(path)
        if path.is_file() and (day is None or first <= day <= last):
            yield Part(path, path.stat().st_size)


def _day(path: Path) -> date | None:
    found = _DAY.fullmatch(path.name)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def _effects(tally: Tally, by: By) -> list[Effect]:
    counted = {name: count for (window, of, name), count in tally.groups.items() if (window, of) == (NOW, by)}
    effects = [
        _effect(by, name, count, tally.groups.get((BEFORE, by, name), Count())) for name, count in counted.items()
    ]
    return sorted(effects, key=lambda each: (each.ratio is None, -(each.ratio or 0.0), -each.assembled, each.name))


def _effect(by: By, name: str, count: Count, earlier: Count) -> Effect:
    share, before = _share(count), _share(earlier)
    return Effect(
        by=by,
        name=name,
        **count._asdict(),
        ratio=share and share.value,
        low=share and share.low,
        high=share and share.high,
        before=before and before.value,
        trend=change(share, before) if share and before else "not enough data",
    )


def _share(count: Count) -> Share | None:
    return wilson(count.used, count.assembled) if count.assemblies >= ENOUGH else None
