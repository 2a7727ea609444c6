#!/usr/bin/env python3
"""snapshot_prune.py - decide which dated snapshots stay, and remove the others.

PURPOSE

Called by backup.sh after every good run. It looks only at the names of the
folders, works out which ones the policy keeps, and deletes the rest.

OPERATIONAL MODEL

Three ladders
    The newest N days are kept, then the newest snapshot of each of M weeks,
    then the newest of each of K months. A snapshot that any ladder wants stays.

Names are dates
    A folder called 2024-05-31 is a snapshot of that day. Labelled folders, such
    as 2024-05-31-before-upgrade, are kept for ever and count for no ladder.

DESIGN PRINCIPLES

Pure decision
    The choice is a function from dates to dates that touches no disk, so it can
    be tried on a made-up calendar.

OPERATIONAL SAFEGUARDS

Print unless told
    Nothing is deleted without --apply.

Never the last ones
    PRUNE_MIN_KEEP snapshots stay in any case, even when the clock has jumped a
    year ahead and all of them look ancient.

CONFIGURATION

PRUNE_MIN_KEEP
    Smallest number of snapshots that is ever left (default: 3).

RUNTIME MODES

--root DIR      folder with the snapshots
--daily N       days to keep (default: 14)
--weekly N      weeks to keep (default: 8)
--monthly N     months to keep (default: 12)
--apply         delete; without it the names are only printed
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

DATED = re.compile(r"^\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True)
class Policy:
    daily: int = 14
    weekly: int = 8
    monthly: int = 12


def kept(days: list[date], policy: Policy, min_keep: int) -> set[date]:
    """Dates that stay under the policy."""
    newest = sorted(days, reverse=True)
    keep = set(newest[: max(policy.daily, min_keep)])
    for length, period in ((policy.weekly, "%G-%V"), (policy.monthly, "%Y-%m")):
        first_of: dict[str, date] = {}
        for day in newest:
            first_of.setdefault(day.strftime(period), day)
        keep.update(list(first_of.values())[:length])
    return keep


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Thin out dated snapshots.")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--daily", type=int, default=Policy.daily)
    parser.add_argument("--weekly", type=int, default=Policy.weekly)
    parser.add_argument("--monthly", type=int, default=Policy.monthly)
    parser.add_argument("--apply", action="store_true")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    min_keep = int(os.getenv("PRUNE_MIN_KEEP", "3"))
    policy = Policy(arguments.daily, arguments.weekly, arguments.monthly)
    names = [entry.name for entry in arguments.root.iterdir() if DATED.match(entry.name)]
    keep = kept([date.fromisoformat(name) for name in names], policy, min_keep)
    for name in sorted(names):
        if date.fromisoformat(name) in keep:
            continue
        print(f"drop {name}")
        if arguments.apply:
            shutil.rmtree(arguments.root / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
