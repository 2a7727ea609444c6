"""Faults, many times over: `python -m benchmarks.faults` kills, fills, races and asks, and prints what became of it.

Every count is of the same checks that `tests/faults/` makes a few times; one that fails ends the benchmark.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from muniment.cli import main as muniment
from tests.conftest import Ran
from tests.faults.committing import committing
from tests.faults.disks import fill
from tests.faults.editions import answered_edition, contents, edition_found, make_editions, search, turn_to
from tests.faults.locks import await_losers, endless_embedder
from tests.faults.mounts import tmpfs
from tests.faults.processes import (
    await_writer,
    count_renames,
    finish,
    kill_after,
    kill_after_rename,
    needs_strace,
    start,
)

PAGE = 4096


@dataclass(frozen=True)
class Bench:
    """A repository at its second edition, and a home with an index of the first."""

    place: Path
    repo: Path
    home: Path
    kills: int
    queries: int

    def copy(self, name: str) -> Path:
        """A fresh copy of the home, under this name."""
        shutil.rmtree(self.place / name, ignore_errors=True)
        return Path(shutil.copytree(self.home, self.place / name))


def run(*argv: object) -> Ran:
    """A command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = muniment([str(word) for word in argv])
    return Ran(code, out.getvalue(), err.getvalue())


def kill_at_random(bench: Bench) -> Iterator[str]:
    """Kills at moments that are spread over the writing part of a run, by turns of an edit and of a rebuild."""
    moments, outcome = random.Random(), Counter[str]()
    whole = bench.copy("whole")
    assert run("index", bench.repo, "--home", whole).code == 0
    for flag in ((), ("--force",)):
        writing_s = _writing_s(bench, flag)
        for _ in range(bench.kills // 2):
            home = bench.copy("killed")
            process = start("index", bench.repo, *flag, "--home", home)
            assert await_writer(process, home)
            killed = kill_after(process, moments.uniform(0, writing_s))
            outcome["killed" if killed else "ended before the kill"] += 1
            outcome[_check(home, bench.repo, whole, flag)] += 1
    yield f"{bench.kills} SIGKILLs at random moments: {_counts(outcome)}"


def kill_at_renames(bench: Bench) -> Iterator[str]:
    """Kills after each rename, link and unlink that an edit and a rebuild make in the index."""
    needs_strace()
    whole = bench.copy("whole")
    assert run("index", bench.repo, "--home", whole).code == 0
    for flag in ((), ("--force",)):
        outcome, calls = Counter[str](), Counter[str]()
        count = count_renames(bench.copy("counted"), "index", bench.repo, *flag, "--home", bench.place / "counted")
        for nth in range(1, count + 1):
            home = bench.copy("killed")
            call = kill_after_rename(nth, home, "index", bench.repo, *flag, "--home", home)
            outcome["killed" if call else "ended before the kill"] += 1
            if call:
                calls[call.split("(")[0].split()[-1]] += 1
            outcome[_check(home, bench.repo, whole, flag)] += 1
        yield f"a SIGKILL after each of {count} changes of names, {' '.join(flag) or 'one edit'}: {_counts(outcome)}"
        yield f"  of which {_counts(calls)}"


def race_writers(bench: Bench) -> Iterator[str]:
    """Starts writers at once; all but one have to be turned away."""
    for count in (2, 6):
        home = bench.copy("raced")
        with endless_embedder() as (settings, may):
            began = monotonic()
            # --force: the embedder is not the one that the index was made with.
            processes = [start("index", bench.repo, "--force", "--home", home, **settings) for _ in range(count)]
            winner = await_losers(processes)
            all_s = monotonic() - began
            alone = monotonic()
            assert finish(start("index", bench.repo, "--force", "--home", home, **settings)).code == 75
            alone_s = monotonic() - alone
            may.set()
            codes = sorted(finish(process).code for process in processes)
        assert winner.returncode == 0
        assert codes == [0] + [75] * (count - 1)
        yield (
            f"{count} writers at once: exit codes {codes}; the last was turned away {all_s:.1f} s after all had "
            f"started, one that came alone after {alone_s:.1f} s"
        )


def free_the_lock(bench: Bench) -> Iterator[str]:
    """Kills writers that hold the lock, and starts the next at once."""
    waits = []
    for _ in range(10):
        home = bench.copy("freed")
        process = start("index", bench.repo, "--home", home)
        assert await_writer(process, home)
        process.kill()
        process.communicate()
        began = monotonic()
        assert run("index", bench.repo, "--home", home).code == 0
        waits.append(monotonic() - began)
    took = f"{statistics.median(waits):.2f} s"
    yield f"{len(waits)} writers killed while they held the lock: the next run had it at once, and took {took}"


def query_commits(bench: Bench) -> Iterator[str]:
    """Asks while another process commits one edition after the other."""
    home, seen, times = bench.copy("asked"), [], []
    with committing(bench.repo, home):
        for _ in range(bench.queries):
            began = monotonic()
            ran = search(run, home)
            times.append((monotonic() - began) * 1000)
            assert ran.code == 0, ran.err
            seen.append(edition_found(ran))
    assert seen == sorted(seen)
    turn_to(bench.repo, 2)
    yield (
        f"{len(seen)} queries during {len(set(seen))} commits: each of one generation, none failed; "
        f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms"
    )


def fill_disks(bench: Bench) -> Iterator[str]:
    """Fills a disk up to ever more room, so that it is full ever later in a run."""
    outcome = Counter[str]()
    with tmpfs(bench.place / "small", "8m") as disk:
        home = disk / "home"
        for pages in range(0, 120, 2):
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(bench.home, home)
            filler = fill(disk, but=pages * PAGE)
            ran = run("index", bench.repo, "--home", home)
            assert ran.code in (0, 75), ran.err
            outcome["fitted" if ran.code == 0 else "refused for want of room"] += 1
            edition = answered_edition(run, home)
            assert edition in ((1, 2) if ran.code else (2,))
            filler.unlink()
            assert run("index", bench.repo, "--home", home).code == 0
            assert answered_edition(run, home) == 2
    yield f"{outcome.total()} runs on a disk that fills up: {_counts(outcome)}; the next run always worked"


PARTS: dict[str, Callable[[Bench], Iterator[str]]] = {
    "kills": kill_at_random,
    "renames": kill_at_renames,
    "writers": race_writers,
    "lock": free_the_lock,
    "queries": query_commits,
    "disk": fill_disks,
}


def main() -> int:
    """Runs the parts and prints a line or two for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=f"some of: {' '.join(PARTS)} (default: all)")
    parser.add_argument("--kills", type=int, default=100, help="random ones (default: 100)")
    parser.add_argument("--queries", type=int, default=1_000, help="during commits (default: 1000)")
    args = parser.parse_args()
    if unknown := [name for name in args.parts if name not in PARTS]:
        parser.error(f"no such part: {unknown[0]}")
    with tempfile.TemporaryDirectory(prefix="muniment-faults-") as made:
        place = Path(made)
        _settle(place)
        bench = Bench(place, make_editions(place / "repo"), place / "home", args.kills, args.queries)
        assert run("index", bench.repo, "--home", bench.home).code == 0
        turn_to(bench.repo, 2)
        for name in args.parts:
            try:
                for line in PARTS[name](bench):
                    print(line, flush=True)
            except pytest.skip.Exception as why:
                print(f"{name}: skipped, {why}", flush=True)
    return 0


def _settle(place: Path) -> None:
    """Takes this machine's settings out of the way: words only, no Prefect, nobody's configuration."""
    for name in [name for name in os.environ if name.startswith(("MUNIMENT_", "PREFECT_API", "GIT_"))]:
        del os.environ[name]
    own = {"PREFECT_HOME": place / "prefect", "XDG_CONFIG_HOME": place / "config", "MUNIMENT_EMBEDDER__NAME": "none"}
    os.environ.update({name: str(value) for name, value in own.items()})


def _writing_s(bench: Bench, flag: tuple[str, ...]) -> float:
    home = bench.copy("timed")
    process = start("index", bench.repo, *flag, "--home", home)
    assert await_writer(process, home)
    began = monotonic()
    assert finish(process).code == 0
    return monotonic() - began


def _check(home: Path, repo: Path, whole: Path, flag: tuple[str, ...]) -> str:
    """What answered after the kill; the next run completed, and its index is that of an undisturbed one."""
    edition = answered_edition(run, home)
    assert edition in (1, 2)
    assert run("index", repo, *flag, "--home", home).code == 0
    assert answered_edition(run, home) == 2
    assert contents(home) == contents(whole)
    return f"{'the old' if edition == 1 else 'the new'} generation answered whole"


def _counts(outcome: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(outcome.items()))


if __name__ == "__main__":
    sys.exit(main())
