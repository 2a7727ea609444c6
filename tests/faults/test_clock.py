"""Clocks a month ahead and a year back: nothing is lost, nothing is missed, and nothing stays for ever."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.generation import read_current
from tests.conftest import Ran, write
from tests.faults.clocks import clock_off_by
from tests.faults.editions import answered_edition, contents, documents, turn_to
from tests.faults.processes import run

pytestmark = pytest.mark.slow
Muniment = Callable[..., Ran]
AHEAD, BACK = 30, -365


def published_at(home: Path) -> datetime:
    generation = read_current(home / "index")
    assert generation
    return datetime.fromisoformat(generation.published_at)


@pytest.mark.parametrize("days", [AHEAD, BACK])
def test_a_run_at_a_wrong_time_is_like_any_other(
    muniment: Muniment, copies: Callable[[str], Path], repo: Path, days: int
) -> None:
    wrong, right = copies("wrong"), copies("right")
    off = clock_off_by(days)
    for edition in (2, 3, 4, 5):
        turn_to(repo, edition)
        # By turns: every version but the newest is older or younger than it should be.
        command = ("index", repo, "--home", wrong)
        ran = run(*command, **off) if edition % 2 == 0 else muniment(*command)
        assert ran.code == 0, ran.err
        gone = abs(published_at(wrong) - datetime.now(UTC) - timedelta(days=days if edition % 2 == 0 else 0))
        assert gone < timedelta(days=1)
        assert answered_edition(muniment, wrong) == edition
    assert muniment("index", repo, "--home", right).code == 0
    assert contents(wrong) == contents(right)
    kept = [path.name for path in sorted((wrong / "index" / "generations").glob("*.json"))]
    assert kept == ["00000004.json", "00000005.json"]


@pytest.mark.parametrize("days", [AHEAD, BACK])
def test_a_search_at_a_wrong_time_is_like_any_other(muniment: Muniment, home: Path, days: int) -> None:
    asked = ("search", "edition", "--limit", 50, "--json", "--home", home)
    off, now = run(*asked, **clock_off_by(days)), muniment(*asked)
    assert (off.code, now.code) == (0, 0)
    assert off.json["hits"] == now.json["hits"]


@pytest.mark.parametrize("days", [AHEAD, BACK])
def test_a_vault_misses_no_edit_after_a_wrong_time(
    muniment: Muniment, tmp_path: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """A vault's files are told apart by their stat, which a clock that was wrong has a part in."""
    vault = tmp_path / "vault"
    write(vault, documents(1))
    config = tmp_path / "muniment.toml"
    config.write_text(f'[[sources]]\nname = "repo"\npath = "{vault}"\nkind = "vault"\n')
    monkeypatch.setenv("MUNIMENT_CONFIG", str(config))
    assert run("index", **clock_off_by(days)).code == 0
    for edition in (2, 3):
        (vault / f"docs/only-in-{edition - 1}.md").unlink()
        write(vault, documents(edition))
        assert muniment("index").code == 0
        assert answered_edition(muniment, own_place) == edition
