"""`muniment effectiveness`: how much of what was gathered was used, by type, kind or section."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.cli.terminal import note, one_line, say
from muniment.errors import DONE, UsageError
from muniment.home import data_home, find_config

if TYPE_CHECKING:
    from schemas.effectiveness import By, Effect, EffectivenessReport, Unreadable

SHOWN = 20
"""Rows without enough data that are listed."""
_HEAD = ("assemblies", "assembled", "used", "ratio", "95 % interval", "before", "trend")


def run(args: argparse.Namespace) -> int:
    """Prints the figures of the window, or with --import what became of a file; returns DONE."""
    config = find_config(args.config, os.environ)
    home = data_home(args.home, os.environ, config)
    if args.mapping and not args.file:
        raise UsageError("--mapping says how to read the file of --import", "name that file too")
    return _import(args, home) if args.file else _evaluate(args, home)


def _evaluate(args: argparse.Namespace, home: Path) -> int:
    from tasks.effectiveness.evaluate import MAX_WINDOW_HOURS, evaluate_effectiveness

    if not 1 <= args.window_hours <= MAX_WINDOW_HOURS:
        raise UsageError(f"--window-hours must be between 1 and {MAX_WINDOW_HOURS} (it is {args.window_hours})")
    report = evaluate_effectiveness(home / "log", datetime.now(UTC), args.window_hours)
    if args.plot:
        from muniment.evaluate.effects import draw_effects

        draw_effects(report, args.by or "type", args.plot)
    if args.json:
        effects = [asdict(effect) for effect in report.effects if args.by in (None, effect.by)]
        times = {"since": report.since.isoformat(), "until": report.until.isoformat()}
        say(json.dumps({**asdict(report), **times, "effects": effects}, indent=1))
        return DONE
    _say_report(report, args.by or "type")
    _note_unreadable(report.unreadable, report.lines, report.samples)
    return DONE


def _say_report(report: EffectivenessReport, by: By) -> None:
    if not report.assemblies:
        say(f"nothing was searched or asked in the last {report.window_hours} hours")
        say("every 'muniment search' and 'muniment ask' is counted; 'muniment feedback' says what was used")
        return
    say(f"{report.since:%Y-%m-%d %H:%M} to {report.until:%Y-%m-%d %H:%M} UTC, {report.window_hours} hours")
    say(f"{report.assemblies} assemblies, {report.assembled} chunks assembled, {report.used} used")
    say()
    known = [effect for effect in report.of(by) if effect.ratio is not None]
    few = [effect for effect in report.of(by) if effect.ratio is None]
    for line in _aligned([(by, *_HEAD), *map(_row, known), *map(_row, few[:SHOWN])]):
        say(line)
    if len(few) > SHOWN:
        say(f"not enough data on {len(few) - SHOWN} more; --json lists them")


def _row(effect: Effect) -> tuple[str, ...]:
    counts = (one_line(effect.name) or "-", str(effect.assemblies), str(effect.assembled), str(effect.used))
    if effect.ratio is None:
        return (*counts, "not enough data", "", "", "")
    before = "-" if effect.before is None else f"{effect.before:.3f}"
    trend = effect.trend if effect.before is not None else "-"
    return (*counts, f"{effect.ratio:.3f}", f"{effect.low:.3f} - {effect.high:.3f}", before, trend)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Names and words to the left, counts to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = "<>>><<<<"
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    ]


def _import(args: argparse.Namespace, home: Path) -> int:
    from tasks.effectiveness.load import import_log
    from tasks.effectiveness.mapping import PREFIXED, read_mapping

    done = import_log(home, args.file, read_mapping(args.mapping) if args.mapping else PREFIXED)
    if args.json:
        say(json.dumps(asdict(done), indent=1))
        return DONE
    say(f"imported: {done.added} added, {done.known} known before, {done.unreadable} not read")
    _note_unreadable(done.unreadable, done.added + done.known + done.unreadable, done.samples)
    return DONE


def _note_unreadable(count: int, lines: int, samples: Sequence[Unreadable]) -> None:
    if not count:
        return
    note(f"note: {count} of {lines} lines could not be read")
    for sample in samples:
        note(f"note: {one_line(sample.file)}:{sample.line}: {sample.reason}")
    if count > len(samples):
        note(f"note: and {count - len(samples)} more")
