"""`muniment index` killed with SIGKILL: the last edition answers whole, and the next run does what was left undone."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from tests.conftest import Ran
from tests.faults.editions import answered_edition, contents, turn_to
from tests.faults.processes import (
    await_writer,
    count_renames,
    finish,
    kill_after,
    kill_after_rename,
    needs_strace,
    start,
)

pytestmark = pytest.mark.slow
Muniment = Callable[..., Ran]
Copies = Callable[[str], Path]
KILLS = 12
"""`make bench-faults` kills more often."""


@pytest.mark.parametrize("flag", [(), ("--force",)], ids=["edit", "force"])
def test_a_kill_at_any_moment_costs_only_the_run(
    muniment: Muniment, copies: Copies, repo: Path, flag: tuple[str, ...]
) -> None:
    turn_to(repo, 2)
    whole, wanted = copies("whole"), copies("killed")
    undisturbed = start("index", repo, *flag, "--home", whole)
    assert await_writer(undisturbed, whole)
    began = monotonic()
    assert finish(undisturbed).code == 0
    writing_s = monotonic() - began
    moments = random.Random(6)
    killed = 0
    for _ in range(KILLS // 2):
        shutil.rmtree(wanted)
        copies("killed")
        process = start("index", repo, *flag, "--home", wanted)
        assert await_writer(process, wanted)
        killed += kill_after(process, moments.uniform(0, writing_s))
        assert answered_edition(muniment, wanted) in (1, 2)
        assert muniment("index", repo, *flag, "--home", wanted).code == 0
        assert answered_edition(muniment, wanted) == 2
        assert contents(wanted) == contents(whole)
    assert killed


def test_a_kill_at_a_rename_costs_only_the_run(muniment: Muniment, copies: Copies, repo: Path) -> None:
    needs_strace()
    turn_to(repo, 2)
    whole = copies("whole")
    count = count_renames(whole, "index", repo, "--home", whole)
    assert count > 20
    # The first and the last ones, around the swap of the pointer, and some in between.
    chosen = sorted({1, count - 3, count - 2, count - 1, *random.Random(6).sample(range(2, count - 3), KILLS - 8)})
    for nth in chosen:
        killed = copies(f"killed{nth}")
        call = kill_after_rename(nth, killed, "index", repo, "--home", killed)
        swapped = (killed / "index" / "generations" / "00000002.json").exists() and "current.json" in call
        assert answered_edition(muniment, killed) in ((2,) if swapped else (1, 2)), call
        assert muniment("index", repo, "--home", killed).code == 0, call
        assert answered_edition(muniment, killed) == 2
        assert contents(killed) == contents(whole), call


def test_a_kill_of_the_first_run_leaves_no_index(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    place = tmp_path / "first"
    process = start("index", repo, "--home", place)
    assert await_writer(process, place)
    assert kill_after(process, 0)
    assert answered_edition(muniment, place) == 0
    assert muniment("index", repo, "--home", place).code == 0
    assert answered_edition(muniment, place) == 1
