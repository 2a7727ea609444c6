"""Writers at once, and locks that somebody left behind: one works, and nobody waits for the dead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.generation import read_current
from tests.conftest import Ran
from tests.faults.editions import answered_edition, turn_to
from tests.faults.locks import await_losers, endless_embedder, holding
from tests.faults.modes import obeying_modes
from tests.faults.processes import await_writer, finish, run, start

Muniment = Callable[..., Ran]


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 6])
def test_of_writers_at_once_one_works(muniment: Muniment, repo: Path, own_place: Path, count: int) -> None:
    with endless_embedder() as (settings, may):
        processes = [start("index", repo, **settings) for _ in range(count)]
        winner = await_losers(processes)
        may.set()
        ran = {process.pid: finish(process) for process in processes}
    assert ran.pop(winner.pid).code == 0
    assert [loser.code for loser in ran.values()] == [75] * (count - 1)
    for loser in ran.values():
        assert loser.err.splitlines() == [
            f"error: another run is writing the index at '{own_place / 'index'}'",
            "hint: try again when it has ended",
        ]
    assert answered_edition(muniment, own_place) == 1
    published = read_current(own_place / "index")
    assert published
    assert published.pending == 0


@pytest.mark.slow
def test_the_lock_of_a_killed_writer_is_free_at_once(muniment: Muniment, repo: Path, home: Path) -> None:
    turn_to(repo, 2)
    with endless_embedder() as (settings, _):
        process = start("index", repo, "--force", **settings)
        assert await_writer(process, home)
        assert muniment("index", repo, "--force").code == 75
        process.kill()
        process.communicate()
        assert muniment("index", repo).code == 0
    assert answered_edition(muniment, home) == 2


@pytest.mark.parametrize("left", ["", "999999\n", '{"pid": 1, "host": "elsewhere"}', "\x00\xff"])
def test_a_lock_file_that_was_left_behind_holds_nobody(muniment: Muniment, repo: Path, home: Path, left: str) -> None:
    turn_to(repo, 2)
    (home / "index" / "lock").write_text(left)
    assert muniment("index", repo).code == 0
    assert answered_edition(muniment, home) == 2


def test_another_program_s_hold_is_respected(muniment: Muniment, repo: Path, home: Path) -> None:
    turn_to(repo, 2)
    with holding(home / "index" / "lock"):
        ran = muniment("index", repo)
        assert (ran.code, ran.err.splitlines()[1]) == (75, "hint: try again when it has ended")
        assert answered_edition(muniment, home) == 1
    assert muniment("index", repo).code == 0
    assert answered_edition(muniment, home) == 2


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_lock_that_is_no_file_is_named(muniment: Muniment, repo: Path, home: Path, tmp_path: Path, kind: str) -> None:
    turn_to(repo, 2)
    lock = home / "index" / "lock"
    lock.unlink()
    if kind == "folder":
        lock.mkdir()
    else:
        lock.symlink_to(tmp_path / "elsewhere")
    ran = muniment("index", repo)
    error, hint = ran.err.splitlines()
    assert ran.code == 12
    assert str(lock) in error
    assert hint == "hint: move it away: a run makes its own"
    assert not (tmp_path / "elsewhere").exists()
    assert answered_edition(muniment, home) == 1


@pytest.mark.slow
def test_a_lock_of_somebody_else_is_named(muniment: Muniment, repo: Path, home: Path) -> None:
    turn_to(repo, 2)
    lock = home / "index" / "lock"
    lock.chmod(0o444)
    ran = run("index", repo, before=obeying_modes())
    error, hint = ran.err.splitlines()
    assert ran.code == 4
    assert str(lock) in error
    assert hint == "hint: check the folder's owner, or choose --home"
    assert answered_edition(muniment, home) == 1
