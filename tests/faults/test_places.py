"""File systems that an index can't be written on safely: named by `doctor`, refused before anything is written."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.faults.editions import edition_found, search
from tests.faults.mounts import without_links
from tests.faults.processes import needs_strace, run

Muniment = Callable[..., Ran]
LINKS, LOCKS = "link,linkat", "flock"
NO_LINKS, NO_LOCKS = "hard links, of which each commit makes one", "locks, which keep a second writer out"


def failing(calls: str, code: str) -> list[str]:
    """What has the kernel fail these calls, as a file system does that has nothing of the kind."""
    fault = f"inject={calls}:error={code}"
    return ["strace", "-f", "-qq", "--seccomp-bpf", "-o", os.devnull, "-e", f"trace={calls}", "-e", fault]


def assert_refused(ran: Ran, home: Path, *, lacks: str) -> None:
    error, hint = ran.err.splitlines()
    assert ran.code == 4
    assert error == f"error: the file system under '{home / 'index'}' has no {lacks}"
    assert hint.startswith("hint: choose a folder on a local disk with --home")


@pytest.mark.slow
def test_a_stick_without_hard_links_is_refused(muniment: Muniment, repo: Path, tmp_path: Path) -> None:
    with without_links(tmp_path / "stick") as stick:
        with pytest.raises(OSError, match="not permitted"):
            os.link(_touched(stick / "a"), stick / "b")
        (stick / "a").unlink()
        place = stick / "home"
        for flag in ((), ("--force",)):
            ran = muniment("index", repo, *flag, "--home", place)
            assert_refused(ran, place, lacks=NO_LINKS)
        assert not list(stick.iterdir())
        _assert_doctor_says(muniment, place, "hard links")


@pytest.mark.slow
def test_an_index_copied_onto_a_stick_still_answers(home: Path, repo: Path, tmp_path: Path) -> None:
    with without_links(tmp_path / "stick") as stick:
        place = stick / "home"
        shutil.copytree(home, place)
        before = sorted(place.rglob("*"))
        # In processes of their own: what they opened would keep this one from taking the stick out.
        assert edition_found(run("search", "edition", "--limit", 50, "--json", "--home", place)) == 1
        assert_refused(run("index", repo, "--force", "--home", place), place, lacks=NO_LINKS)
        assert [path for path in sorted(place.rglob("*")) if "log" not in path.parts] == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("calls", "code", "lacks"),
    [
        (LINKS, "EPERM", NO_LINKS),
        (LOCKS, "ENOSYS", NO_LOCKS),
        (f"{LINKS},{LOCKS}", "EOPNOTSUPP", f"{NO_LINKS} and no {NO_LOCKS}"),
    ],
)
def test_a_place_that_can_not_hold_a_writer_is_refused(
    repo: Path, own_place: Path, calls: str, code: str, lacks: str
) -> None:
    needs_strace()
    assert_refused(run("index", repo, before=failing(calls, code)), own_place, lacks=lacks)
    assert not own_place.exists()


@pytest.mark.slow
def test_a_place_without_locks_still_answers(home: Path) -> None:
    needs_strace()
    ran = run("search", "edition", "--limit", 50, "--json", "--home", home, before=failing(LOCKS, "ENOLCK"))
    assert ran.code == 0, ran.err
    assert edition_found(ran) == 1


@pytest.mark.slow
def test_doctor_names_a_place_without_locks(home: Path) -> None:
    needs_strace()
    ran = run("doctor", "--home", home, before=failing(LOCKS, "ENOSYS"))
    assert ran.code == 1
    assert "has no locks, which keep a second writer out" in ran.out
    assert "hint: choose a folder on a local disk" in ran.out


def test_doctor_tries_no_lock_that_a_run_holds(muniment: Muniment, home: Path) -> None:
    with subprocess.Popen(
        ["flock", "--exclusive", home / "index" / "lock", "sh", "-c", "echo held; cat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        ran = muniment("doctor", "--home", home)
        assert other.stdin
        other.stdin.close()
    assert "FAIL  filesystem" not in ran.out
    assert not list((home / "index").glob(".muniment-probe-*"))


def test_what_a_killed_probe_left_is_swept(muniment: Muniment, home: Path, repo: Path) -> None:
    left = home / "index" / ".muniment-probe-killed"
    left.mkdir()
    (left / "file").touch()
    assert muniment("index", repo, "--force").code == 0
    assert not left.exists()
    assert edition_found(search(muniment, home)) == 1


def _assert_doctor_says(muniment: Muniment, place: Path, lacks: str) -> None:
    ran = muniment("doctor", "--home", place)
    assert ran.code == 1
    assert f"has no {lacks}" in ran.out
    assert "hint: choose a folder on a local disk" in ran.out


def _touched(path: Path) -> Path:
    path.touch()
    return path
