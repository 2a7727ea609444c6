"""`make bench-disk`: the disk an index takes after hundreds of runs of one changed file, and what `gc` gives back."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.index import size

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "sample" / "ops"


def main() -> int:
    """Measures and prints a Markdown table; returns 1 where the bar is missed or a verification finds anything."""
    parser = argparse.ArgumentParser(prog="make bench-disk", description=__doc__)
    parser.add_argument("--repo", type=Path, help="a git repository to clone (default: the sample corpus)")
    parser.add_argument("--runs", type=int, default=300, help="runs of one changed file (default: 300)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        repo, home = Path(scratch) / "repo", Path(scratch) / "home"
        _lay_out(args.repo, repo)
        return measure(repo, home, args.runs)


def measure(repo: Path, home: Path, runs: int) -> int:
    """The runs, in this process, with vectors."""
    from flows.gc import gc
    from flows.index import index
    from flows.job import make_job
    from muniment.home import find_config
    from muniment.noop import SEEN
    from muniment.runner import Direct
    from muniment.settings import load_settings
    from muniment.verify.index import Place, verify_index

    config = find_config(None, {})
    settings = load_settings(config)
    sizes, took = [], []
    for number in range(runs + 1):
        (repo / "MUNIMENT-BENCH.md").write_text(f"# Bench\n\nThis is edit number {number}.\n")
        _git(repo, "add", "-A")
        _git(repo, "commit", "-qm", f"edit {number}")
        began = time.perf_counter()
        index(make_job(settings, config, home, os.environ, paths=[str(repo)]), Direct())
        took.append(time.perf_counter() - began)
        sizes.append(size(home / "index"))
    kept = settings.index.keep_generations
    found = verify_index(Place(home / "index", home / "runs", home / "index" / SEEN), deep=True)
    given = gc(home / "index", kept)
    print("| what | measured | in times the first |\n| --- | --- | --- |")
    for what, bytes_ in (
        ("after the first run", sizes[0]),
        (f"after {runs} runs", sizes[-1]),
        ("most after any run", max(sizes)),
        (f"after `muniment gc` ({given.size / 1e6:.2f} MB given back)", size(home / "index")),
    ):
        print(f"| {what} | {bytes_ / 1e6:.2f} MB | {bytes_ / sizes[0]:.2f} |")
    verdict = "all right" if found.ok else "damaged"
    print(f"\none edited file: {statistics.median(took[1:]):.2f} s; verify --deep: {verdict}")
    return 0 if found.ok and sizes[-1] <= 2 * sizes[0] else 1


def _lay_out(given: Path | None, repo: Path) -> None:
    if given:
        subprocess.run(["git", "clone", "-q", given, repo], check=True)
        return
    shutil.copytree(SAMPLE, repo)
    _git(repo, "init", "-q")


def _git(repo: Path, *words: str) -> None:
    own = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
    subprocess.run(["git", "-C", repo, *own, *words], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
