"""Disks that are full and folders that are read-only: the run is lost, the last edition answers, the next run works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.faults.disks import fill
from tests.faults.editions import answered_edition, contents, edition_found, turn_to
from tests.faults.modes import make_read_only, obeying_modes
from tests.faults.mounts import read_only, tmpfs
from tests.faults.processes import run

Muniment = Callable[..., Ran]
SEARCH = ("search", "edition", "--limit", 50, "--json", "--home")


def assert_one_line_and_a_hint(ran: Ran, code: int, words: str) -> None:
    error, hint = ran.err.splitlines()
    assert (ran.code, error.startswith("error: "), hint.startswith("hint: ")) == (code, True, True)
    assert words in error


@pytest.mark.slow
def test_a_disk_that_fills_up_anywhere_costs_only_the_run(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    """With ever more room left, the disk is full ever later in the run: at its first file, ..., at its last."""
    failed = 0
    with tmpfs(tmp_path / "small", "8m") as disk:
        home = disk / "home"
        assert muniment("index", repo, "--home", home).code == 0
        for step in range(12):
            turn_to(repo, step + 2)
            filler = fill(disk, but=step * 6 * 4096)
            ran = muniment("index", repo, "--home", home)
            found = answered_edition(muniment, home)
            if ran.code:
                failed += 1
                assert_one_line_and_a_hint(ran, 75, "no room left")
                assert found in (step + 1, step + 2)  # published is published, and what is written after it is less
            else:
                assert found == step + 2
            filler.unlink()
            assert muniment("index", repo, "--home", home).code == 0
            assert answered_edition(muniment, home) == step + 2
    assert failed > 3


@pytest.mark.slow
def test_a_first_run_on_a_full_disk_leaves_no_index(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    with tmpfs(tmp_path / "small", "4m") as disk:
        filler = fill(disk, but=0)
        ran = muniment("index", repo, "--home", disk / "home")
        assert_one_line_and_a_hint(ran, 75, "no room left")
        assert answered_edition(muniment, disk / "home") == 0
        filler.unlink()
        assert muniment("index", repo, "--home", disk / "home").code == 0
        assert answered_edition(muniment, disk / "home") == 1


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 3000])
def test_a_limit_on_the_size_of_files_is_a_full_disk(muniment: Muniment, repo: Path, home: Path, limit: int) -> None:
    """Also where nobody may mount anything: `ulimit -f`."""
    turn_to(repo, 2)
    ran = run("index", repo, before=("prlimit", f"--fsize={limit}"))
    assert_one_line_and_a_hint(ran, 75, "no room left")
    assert answered_edition(muniment, home) == 1
    assert muniment("index", repo).code == 0
    assert answered_edition(muniment, home) == 2


@pytest.mark.slow
def test_an_index_that_may_not_be_written_answers(muniment: Muniment, repo: Path, home: Path) -> None:
    before = contents(home)
    turn_to(repo, 2)
    make_read_only(home)
    modes = obeying_modes()
    assert_one_line_and_a_hint(run("index", repo, before=modes), 4, "can't be written")
    assert edition_found(run(*SEARCH, home, before=modes)) == 1
    assert "FAIL  home" in run("doctor", before=modes).out
    assert contents(home) == before


@pytest.mark.slow
def test_an_index_on_a_read_only_disk_answers(muniment: Muniment, repo: Path, home: Path, tmp_path: Path) -> None:
    turn_to(repo, 2)
    with read_only(home, tmp_path / "seen") as seen:
        for command in (("index", repo), ("index", repo, "--force")):
            assert_one_line_and_a_hint(muniment(*command, "--home", seen), 4, "can't be written")
        assert answered_edition(muniment, seen) == 1
        assert muniment("status", "--home", seen).code == 0
        assert "FAIL  home" in muniment("doctor", "--home", seen).out
