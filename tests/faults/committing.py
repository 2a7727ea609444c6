"""Commits one edition after the other until its standard input ends: `python -m tests.faults.committing REPO HOME`."""

from __future__ import annotations

import itertools
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.editions import turn_to

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def committing(repo: Path, home: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that does so for the block, and is found to have done well."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.committing", repo, home],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            _, said = process.communicate()
    assert process.returncode == 0, said


def main() -> int:
    """Returns what the first run that fails returns, and 0 when it is told to stop before."""
    from muniment.cli import main as muniment

    repo, home = map(Path, sys.argv[1:])
    for edition in itertools.count(2):
        if select.select([sys.stdin], [], [], 0)[0]:
            return 0
        turn_to(repo, edition)
        if code := muniment(["index", str(repo), "--home", str(home)]):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
