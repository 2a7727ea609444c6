"""Confidential and restricted notes of a vault are withheld as papers of an archive are, at every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.generation import read_current
from tests.conftest import Ran, write
from tests.muniment.http.doors import opened

pytestmark = pytest.mark.usefixtures("words_only")

Muniment = Callable[..., Ran]
SECRET = "zebrafish"
"""A word of every sensitive note, and of no other."""
BROKEN = "---\nsensitivity: [internal\n---\n# Torn\n\nThe zebrafish behind the cellar door.\n"
FILES = {
    "open.md": "---\nsensitivity: internal\n---\n# The cellar\n\nThe meter hangs in the cellar, see `CELLAR_DOOR`.\n",
    "plain.md": "---\ndate: some day\n---\n# The attic\n\nThe cellar key hangs in the attic.\n",
    "told.md": "---\nSensitivity: Confidential\n---\n# Zebrafish of the cellar\n\n"
    "| option | default |\n|---|---|\n| `ZEBRAFISH_DEPTH` | 30 |\n\n[gone](zebrafish-tank.md)\n",
    "setting.md": "---\nsensitivity: restricted\n---\n# Zebrafish cellar setting\n\n```sh\nZEBRAFISH_DEPTH=40\n```\n",
    "odd.md": "---\nsensitivity: zebrafish-level\n---\n# Zebrafish and the cellar\n\nA word that nobody knows.\n",
    "torn.md": BROKEN,
}
HIDDEN = ("told.md", "setting.md", "odd.md", "torn.md")


@pytest.fixture
def notes(muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An indexed vault, and the settings that name it."""
    write(tmp_path / "notes", FILES)
    write(tmp_path, {"muniment.toml": '[[sources]]\nname = "notes"\nkind = "vault"\npath = "notes"\n'})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    assert muniment("index").code == 0
    return tmp_path / "notes"


def _get(*paths: str) -> Callable[[Muniment, Path], str]:
    def ask(_muniment: Muniment, home: Path) -> str:
        with opened(home) as door:
            return "".join(door.get(path).text for path in paths)

    return ask


def _night(muniment: Muniment, home: Path) -> str:
    """The pages that a night writes, and what the doors say of it; what a run says to the operator stands elsewhere."""
    assert muniment("nightly").code == 0
    kept = [path.read_text() for path in (home / "reports").rglob("*") if path.suffix in (".html", ".md")]
    assert len(kept) > 4
    return "".join(kept) + _get("/api/drift")(muniment, home)


DOORS: dict[str, Callable[[Muniment, Path], str]] = {
    "search": lambda muniment, _: muniment("search", "cellar depth", "--json").out,
    "ask": lambda muniment, _: muniment("ask", "what is behind the cellar door?", "--json").out,
    "status": lambda muniment, _: muniment("status", "--json").out,
    "HTTP": _get("/api/search?q=cellar+depth", "/api/documents", "/api/drift", "/api/index/status", "/metrics"),
    "night": _night,
}


@pytest.mark.parametrize("door", DOORS)
def test_no_door_shows_them(muniment: Muniment, notes: Path, own_place: Path, door: str) -> None:
    shown = DOORS[door](muniment, own_place).lower()
    assert "cellar" in shown or "notes" in shown
    assert [word for word in (SECRET, *HIDDEN) if word in shown] == []


def test_the_counts_leave_them_out_and_say_how_many(muniment: Muniment, notes: Path, own_place: Path) -> None:
    published = read_current(own_place / "index")
    assert published
    state = published.sources["notes"]
    assert (state.documents, dict(state.withheld)) == (2, {"confidential": 1, "restricted": 3})
    assert "1 confidential, 3 restricted documents, withheld" in muniment("status").out


def test_only_what_is_withheld_is_doubted(muniment: Muniment, notes: Path) -> None:
    """A date that an editor writes in its own way is no fault of a note."""
    said = muniment("index", "--force").err
    assert "odd.md: sensitivity 'zebrafish-level' is not known, so it is treated as restricted" in said
    assert "some day" not in said


def test_the_operator_can_admit_them(
    muniment: Muniment, notes: Path, own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_ARCHIVE__ADMIT_SENSITIVE", "true")
    found = {hit["path"] for hit in muniment("search", "zebrafish", "--json").json["hits"]}
    assert found == set(HIDDEN)


def test_a_note_that_becomes_sensitive_is_withheld_from_the_next_run_on(muniment: Muniment, notes: Path) -> None:
    write(notes, {"plain.md": FILES["plain.md"].replace("date: some day", "sensitivity: confidential")})
    muniment("index")
    assert [hit["path"] for hit in muniment("search", "attic", "--json").json["hits"]] == []


def test_the_report_of_a_run_names_none_of_them(muniment: Muniment, notes: Path, own_place: Path) -> None:
    run = muniment("index", "--force", "--json").json["run"]
    with opened(own_place) as door:
        shown = json.dumps(door.get(f"/api/index/runs/{run}").json())
    assert run in shown
    assert not any(path in shown for path in HIDDEN)
