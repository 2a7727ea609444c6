"""A repair of what is read from a disk as it is now, and of one source among several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.verify.damage import current, file_with, flip_middle, republish
from tests.muniment.verify.whole import Rows, assert_equal, everything

pytestmark = pytest.mark.usefixtures("words_only")

Muniment = Callable[..., Ran]
NOTES = {
    "secret.md": "---\nsensitivity: confidential\n---\n# Zebrafish\n\nThe zebrafish knee is torn.\n",
    **{
        f"{name}.md": f"# {name}\n\nThe {name} waits.\n\n- `{name.upper()}_LEGS` (default: `2`): how many\n"
        for name in ("heron", "stork", "crane", "ibis")
    },
}
HERON = "path = 'heron.md'"
KINDS = ("vault", "archive", "git")
"""The repository is read as its working copies are."""


@pytest.fixture(params=KINDS)
def notes(request: pytest.FixtureRequest, muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of each kind that is read as it is now, indexed."""
    folder = tmp_path / "notes"
    if request.param == "git":
        make_repo(folder, {name: text for name, text in NOTES.items() if name != "secret.md"})
    else:
        write(folder, NOTES)
    worktree = "worktree = true\n" if request.param == "git" else ""
    table = f'[[sources]]\nname = "notes"\nkind = "{request.param}"\npath = "notes"\n{worktree}'
    write(tmp_path, {"muniment.toml": table})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    assert muniment("index").code == 0
    return folder


def damage_row(home: Path, where: str = HERON) -> None:
    republish(home, "chunks", lambda table: table.update(where, {"text": "Nobody."}))


def made(ran: Ran) -> tuple[int, list[str]]:
    assert ran.json["run"] is None, ran.json["done"]
    return ran.json["made"]["documents"], ran.json["made"]["tables"]


def but(rows: Rows, *paths: str) -> Rows:
    """Without what these documents have."""
    return {name: [row for row in own if row.get("path") not in paths] for name, own in rows.items()}


@pytest.mark.parametrize("table", [None, "documents", "chunks", "skipped", "claims"])
def test_it_is_as_if_nothing_had_happened(muniment: Muniment, notes: Path, own_place: Path, table: str | None) -> None:
    before = everything(own_place)
    if table:
        flip_middle(file_with(own_place, f"tables/{table}_00000001.lance/"))
    else:
        damage_row(own_place)
    ran = muniment("repair", "--json")
    assert ran.code == 0
    expected = {None: (1, []), "documents": (len(before["documents"]), ["documents"])}
    expected |= {"chunks": (len(before["documents"]), ["chunks"])}
    assert made(ran) == expected.get(table, (0, [table]))
    assert_equal(everything(own_place), before, [table] if table else [])
    assert "zebrafish" not in ran.out.lower()


def test_what_was_edited_since_is_taken_as_it_is(muniment: Muniment, notes: Path, own_place: Path) -> None:
    """What is damaged of it alone: the other one waits for the next run."""
    before = everything(own_place)
    changed = "# heron\n\nThe heron left.\n\n- `HERON_LEGS` (default: `3`): how many\n"
    write(notes, {"heron.md": changed, "stork.md": "# stork\n\nThe stork left.\n"})
    damage_row(own_place)
    ran = muniment("repair", "--json")
    assert (ran.code, made(ran)) == (0, (1, []))
    after = everything(own_place)
    # The claims of the whole folder are judged again, by all of its files.
    assert [row["path"] for row in after["claims"] if row["path"] == "stork.md"] == []
    for rows in (before, after):
        rows["claims"] = but(rows, "stork.md")["claims"]
    assert_equal(but(after, "heron.md"), but(before, "heron.md"), ["claims"])
    assert "The heron left." in " ".join(row["text"] for row in after["chunks"])
    assert [row["documented"] for row in after["claims"] if row["path"] == "heron.md"] in (["3"], [])
    assert muniment("index", "--json").json["counts"]["indexed"] == 1


def test_what_is_gone_since_is_let_go(muniment: Muniment, notes: Path, own_place: Path) -> None:
    before = everything(own_place)
    (notes / "heron.md").unlink()
    damage_row(own_place)
    ran = muniment("repair", "--json")
    assert (ran.code, made(ran)) == (0, (0, []))
    assert_equal(everything(own_place), but(before, "heron.md"), ["claims"])
    assert current(own_place).sources["notes"].documents == len(but(before, "heron.md", "secret.md")["documents"])


def test_a_source_that_is_half_gone_stops_a_repair(muniment: Muniment, notes: Path, own_place: Path) -> None:
    """A missing mount looks like this."""
    for name in ("heron", "crane", "ibis"):
        (notes / f"{name}.md").unlink()
    damage_row(own_place)
    before = current(own_place)
    ran = muniment("repair")
    held = sum(name != "secret.md" or notes.joinpath(name).exists() for name in NOTES)
    assert (ran.code, ran.err.splitlines()[0]) == (
        4,
        f"error: source 'notes' has {held - 3} documents left of {held}",
    )
    assert current(own_place) == before
    assert muniment("repair", "--allow-shrink").code == 0


@pytest.fixture
def two(muniment: Muniment, tmp_path: Path) -> tuple[Path, Path]:
    """Two indexed repositories."""
    repos = [
        make_repo(tmp_path / name, {f"{name}.md": f"# {name}\n\nThe {name} waits.\n"}) for name in ("heron", "stork")
    ]
    for repo in repos:
        assert muniment("index", repo).code == 0
    return repos[0], repos[1]


def test_a_source_that_is_away_stops_no_other(
    muniment: Muniment, two: tuple[Path, Path], own_place: Path, tmp_path: Path
) -> None:
    before = everything(own_place)
    damage_row(own_place)
    two[1].rename(tmp_path / "away")
    ran = muniment("repair", "--json")
    assert (ran.code, made(ran)) == (0, (1, []))
    assert_equal(everything(own_place), before)


def test_a_source_that_is_needed_and_away_is_named(
    muniment: Muniment, two: tuple[Path, Path], own_place: Path, tmp_path: Path
) -> None:
    damage_row(own_place)
    before = current(own_place)
    two[0].rename(tmp_path / "away")
    ran = muniment("repair")
    assert (ran.code, "does not exist" in ran.err) == (14, True)
    assert current(own_place) == before


def test_settings_of_now_change_nothing_else(
    muniment: Muniment, two: tuple[Path, Path], own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are for the next run, which then takes them up."""
    write(two[0], {"more.md": "# More\n"})
    commit_all(two[0])
    before = everything(own_place)
    monkeypatch.setenv("MUNIMENT_INDEX__EXCLUDE", '["stork.md"]')
    damage_row(own_place)
    assert muniment("repair").code == 0
    assert_equal(everything(own_place), before)
    assert muniment("index", "--json").json["documents"] == 2
