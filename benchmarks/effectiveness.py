"""`make bench-effectiveness`: what evaluating a long assembly log costs, in seconds and memory."""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from schemas.chunks import KINDS

WEEK = 168
HITS = 5
"""Chunks of one assembly: what a search shows."""
CHUNKS = 5_000
SECTIONS = 300
FEEDBACK = 0.1
NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)


def main() -> int:
    """Writes logs of rising length into a temporary folder, evaluates each in a process of its own, prints a table."""
    parser = argparse.ArgumentParser(prog="make bench-effectiveness", description=__doc__)
    parser.add_argument("--lines", type=int, nargs="+", default=[100_000, 1_000_000], help="assemblies in the log")
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.log:
        print(json.dumps(evaluate(args.log)))
        return 0
    print(f"{NOW:%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores\n")
    print("| log | lines | size | seconds | of CPU | peak memory |\n| --- | --- | --- | --- | --- | --- |")
    for label, broken in (("whole", 0.0), ("one line in 10,000 broken", 0.0001)):
        for lines in args.lines:
            print(f"| {label} {measure(lines, broken)}")
    return 0


def measure(lines: int, broken: float) -> str:
    """The rest of a row: a log of so many assemblies and such a share of broken lines."""
    with tempfile.TemporaryDirectory() as folder:
        size = write(Path(folder), lines, broken)
        command = [sys.executable, "-m", "benchmarks.effectiveness", "--log", folder]
        done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return (
        f"| {done['lines']:,} | {size / 1e6:,.0f} MB | {done['wall']:.1f} | {done['cpu']:.1f} | {done['rss']:,.0f} MB |"
    )


def evaluate(log: Path) -> dict[str, float]:
    """Seconds and peak resident memory of one evaluation, in this process; what it imports is part of both."""
    began = time.perf_counter()
    from tasks.effectiveness.evaluate import as_rows, evaluate_effectiveness

    report = evaluate_effectiveness(log, NOW, WEEK)
    as_rows(report)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return {"wall": time.perf_counter() - began, "cpu": time.process_time(), "rss": peak, "lines": report.lines}


def write(log: Path, lines: int, broken: float) -> int:
    """Fills both windows evenly with assemblies, a tenth of them told of later; returns the log's bytes."""
    chance = random.Random(lines)
    make = _maker(chance)
    by_day: dict[str, list[str]] = {}
    for number in range(lines):
        at = NOW - timedelta(hours=2 * WEEK * (1 - number / lines) - 0.001)
        for line in make(at):
            torn = line[: len(line) // 2] if chance.random() < broken else line
            by_day.setdefault(f"{at:%Y-%m-%d}", []).append(torn)
        if number % 50_000 == 0 or number == lines - 1:
            _append(log, by_day)
    return sum(path.stat().st_size for path in log.iterdir())


def _append(log: Path, by_day: dict[str, list[str]]) -> None:
    for day, lines in by_day.items():
        with (log / f"assembly-{day}.jsonl").open("a") as file:
            file.writelines(f"{line}\n" for line in lines)
    by_day.clear()


def _maker(chance: random.Random) -> Callable[[datetime], Iterator[str]]:
    kinds = [*KINDS]
    pool = [
        (f"{chance.getrandbits(128):032x}", chance.choice(kinds), f"Section {chance.randrange(SECTIONS)}")
        for _ in range(CHUNKS)
    ]

    def make(at: datetime) -> Iterator[str]:
        found = chance.sample(pool, HITS)
        ids, of_kinds, sections = (list(column) for column in zip(*found, strict=True))
        name, when = f"{at:%Y%m%d}-{chance.getrandbits(48):012x}", at.isoformat(timespec="milliseconds")
        about = {"assembly": name, "at": when, "act": "ask", "surface": "cli", "generation": 1, "elapsed_ms": 4.2}
        lists = {"chunk_ids": ids, "kinds": of_kinds, "types": of_kinds, "sections": sections}
        ranks = {"ranks": [*range(1, HITS + 1)], "used": ids[: chance.randrange(3)], "outcome": "answered"}
        yield json.dumps(about | lists | ranks, separators=(",", ":"))
        if chance.random() < FEEDBACK:
            told = {"assembly": name, "at": when, "act": "feedback", "used": ids[-1:]}
            yield json.dumps(told, separators=(",", ":"))

    return make


if __name__ == "__main__":
    sys.exit(main())
