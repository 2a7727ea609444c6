#!/usr/bin/env python3
"""pool_usage.py - say what fills the pool, and warn before it is full.

PURPOSE

Prints the fill level of the pool and the largest top-level folders. The timer
writes the text to /run/larder/usage.txt, where the status page finds it.

OPERATIONAL MODEL

Two levels
    The pool is OK, WARN or CRIT. The word is the first one on the first line,
    and the exit code follows it: 0, 1 or 2.

Largest folders
    Sizes are summed over the tree without following links. Hard links are
    counted once.

DESIGN PRINCIPLES

Percentages, not bytes
    A disk is trouble when nine tenths are gone, whatever its size. Limits in
    bytes have to be thought of again after each new disk.

RUNTIME MODES

--root DIR      folder to measure (default: /mnt/pool)
--warn-at N     per cent from which the level is WARN
--crit-at N     per cent from which the level is CRIT (default: 95)
--top N         number of folders to list (default: 10)
--json          print JSON
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Say what fills the pool.")
    parser.add_argument("--root", type=Path, default=Path("/mnt/pool"))
    parser.add_argument("--warn-at", type=int, default=85, metavar="N")
    parser.add_argument("--crit-at", type=int, default=95, metavar="N")
    parser.add_argument("--top", type=int, default=10, metavar="N")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def folder_size(folder: Path) -> int:
    """Bytes below a folder, each inode once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                info = os.lstat(os.path.join(parent, name))
            except FileNotFoundError:
                continue
            key = (info.st_dev, info.st_ino)
            if key not in seen:
                seen.add(key)
                total += info.st_size
    return total


def level(percent: float, warn_at: int, crit_at: int) -> str:
    if percent >= crit_at:
        return "CRIT"
    return "WARN" if percent >= warn_at else "OK"


def main() -> int:
    arguments = parse_arguments()
    usage = shutil.disk_usage(arguments.root)
    percent = 100 * usage.used / usage.total
    word = level(percent, arguments.warn_at, arguments.crit_at)
    folders = sorted(
        ((folder_size(entry), entry.name) for entry in arguments.root.iterdir() if entry.is_dir()),
        reverse=True,
    )[: arguments.top]
    if arguments.json:
        print(json.dumps({"level": word, "percent": round(percent, 1), "folders": folders}))
    else:
        print(f"{word} {percent:.1f}% used")
        for size, name in folders:
            print(f"{size / 2**30:10.1f} GiB  {name}")
    return {"OK": 0, "WARN": 1, "CRIT": 2}[word]


if __name__ == "__main__":
    sys.exit(main())
