"""Sensitive papers are verified like all others, and never named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran, write
from tests.muniment.verify.damage import file_with, flip_middle, republish

pytestmark = pytest.mark.usefixtures("words_only")

Muniment = Callable[..., Ran]
FILES: dict[str, str | bytes] = {
    "open.md": "# The cellar\n\nThe meter hangs behind the door.\n",
    "clinic.md": "---\nsensitivity: confidential\n---\n# Zebrafish clinic\n\nThe zebrafish knee is torn.\n",
}


@pytest.fixture
def papers(muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "papers", FILES)
    write(tmp_path, {"muniment.toml": '[[sources]]\nname = "papers"\nkind = "archive"\npath = "papers"\n'})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    assert muniment("index").code == 0
    return tmp_path / "papers"


def test_they_are_among_what_is_compared(muniment: Muniment, papers: Path) -> None:
    shown = muniment("verify", "--deep", "--json").json
    assert (shown["ok"], shown["unchecked"]) == (True, {})
    assert (shown["looked"]["documents"], shown["looked"]["compared"]) == (2, 2)


@pytest.mark.parametrize("path", ["clinic.md", "open.md"])
def test_only_what_everybody_is_shown_is_named(muniment: Muniment, papers: Path, own_place: Path, path: str) -> None:
    where = f"path = '{path}'"
    republish(own_place, "chunks", lambda table: table.update(where, {"text": "zebrafish"}))
    republish(own_place, "documents", lambda table: table.update(where, {"sha256": "zebrafish"}))
    for words in (("verify",), ("verify", "--json")):
        ran = muniment(*words)
        shown = (ran.out + ran.err).lower()
        assert ran.code == 1
        assert "zebrafish" not in shown
        assert "clinic" not in shown
        assert ("papers: a withheld document" in shown) == (path == "clinic.md")
        assert ("papers:open.md" in shown) == (path == "open.md")


def test_one_that_has_changed_since_is_not_compared(muniment: Muniment, papers: Path) -> None:
    write(papers, {"clinic.md": str(FILES["clinic.md"]).replace("torn", "well")})
    ran = muniment("verify")
    assert ran.code == 0
    assert "not compared: papers: 1 of 2 documents are not as they were indexed" in ran.out
    assert "zebrafish" not in ran.out.lower()


def test_they_are_still_withheld_after_a_repair(muniment: Muniment, papers: Path, own_place: Path) -> None:
    flip_middle(file_with(own_place, "documents_00000001.lance/data"))
    ran = muniment("repair", "--json")
    assert ran.code == 0
    assert "zebrafish" not in ran.out.lower()
    assert muniment("search", "zebrafish knee", "--json").json["hits"] == []
