"""A source that lost its documents is asked about at every door: a missing mount looks like that too."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.generation import read_current
from tests.conftest import Ran, commit_all, git, write
from tests.faults.editions import answered_edition, documents
from tests.muniment.http.doors import opened

Muniment = Callable[..., Ran]
DOORS = [("index",), ("index", "--force"), ("nightly",)]
REFUSED = f"source 'repo' has {{}} documents left of {len(documents(1))}"


def drop_documents(repo: Path, *, left: int) -> None:
    git(repo, "rm", "-q", "-r", "docs")
    write(repo, dict(list(documents(1).items())[:left]))
    commit_all(repo, "fewer")


@pytest.mark.parametrize("left", [0, 1, len(documents(1)) // 2])
@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_a_source_that_shrank_is_refused(
    muniment: Muniment, home: Path, repo: Path, door: tuple[str, ...], left: int
) -> None:
    drop_documents(repo, left=left)
    ran = muniment(*door)
    assert (ran.code, REFUSED.format(left) in ran.err) == (4, True)
    assert answered_edition(muniment, home) == 1


@pytest.mark.parametrize("body", [{}, {"force": True}], ids=["scan", "scan force"])
def test_a_source_that_shrank_is_refused_over_http(
    muniment: Muniment, home: Path, repo: Path, body: dict[str, object]
) -> None:
    # The settings of the server have another digest than the environment that the index was made with.
    with opened(home) as door:
        door.post("/api/index/scan")
        door.serving.runs.wait()
        drop_documents(repo, left=2)
        started = door.post("/api/index/scan", body)
        door.serving.runs.wait()
        run = door.get(f"/api/index/runs/{started.json()['run']}").json()
        assert (run["state"], run["error"]) == ("failed", REFUSED.format(2))
        assert answered_edition(muniment, home) == 1
        started = door.post("/api/index/scan", {**body, "allow_shrink": True})
        door.serving.runs.wait()
        assert door.get(f"/api/index/runs/{started.json()['run']}").json()["state"] == "done"


@pytest.mark.parametrize("door", DOORS[:2], ids=" ".join)
def test_shrinking_may_be_allowed(muniment: Muniment, home: Path, repo: Path, door: tuple[str, ...]) -> None:
    drop_documents(repo, left=2)
    assert muniment(*door, "--allow-shrink").code == 0
    published = read_current(home / "index")
    assert published
    assert published.sources["repo"].documents == 2


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_a_source_that_is_gone_is_unreadable(muniment: Muniment, home: Path, repo: Path, door: tuple[str, ...]) -> None:
    shutil.move(repo, repo.with_name("elsewhere"))
    assert muniment(*door).code == 14
    assert answered_edition(muniment, home) == 1
    repo.mkdir()  # where a disk that is not mounted should be
    assert muniment(*door).code == 14
    assert answered_edition(muniment, home) == 1


def test_new_settings_may_shrink_but_not_empty(
    muniment: Muniment, home: Path, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__INCLUDE", '["docs/part1.md"]')
    for flag in ((), ("--force",)):
        assert muniment("index", repo, *flag).code == 0
    git(repo, "rm", "-q", "-r", ".")
    commit_all(repo, "empty")
    monkeypatch.setenv("MUNIMENT_INDEX__INCLUDE", '["docs/part2.md"]')
    for flag in ((), ("--force",)):
        assert muniment("index", repo, *flag).code == 4
