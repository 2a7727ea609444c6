"""Filters of a search: a value that nothing has is an error, and names the nearest right one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from muniment.filters import nearest
from tests.conftest import make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")

FILES = {
    "scripts/kestrel.sh": "#!/bin/sh\n#\n# kestrel.sh - copy the archive\n#\n# CONFIGURATION\n#\n"
    "# KESTREL_GRACE\n#   Seconds of grace, default 300.\n\nexit 0\n",
    "docs/heron.md": "# Heron\n\nThe heron job follows the kestrel.\n",
}


@pytest.fixture
def indexed(muniment: Any, tmp_path: Path) -> Path:
    repo = make_repo(tmp_path / "ops", FILES)
    assert muniment("index", repo).code == 0
    return repo


@pytest.mark.parametrize(
    ("option", "value", "says", "hint"),
    [
        ("--section", "CONFIG", "no section 'CONFIG' in this index", "did you mean 'CONFIGURATION'?"),
        ("--section", "confguration", "no section 'confguration' in this index", "did you mean 'CONFIGURATION'?"),
        ("--source", "opps", "no source 'opps' in this index", "did you mean 'ops'?"),
        ("--source", "zzz", "no source 'zzz' in this index", "there is: ops"),
        ("--type", "heeder", "no type 'heeder' in this index", "did you mean 'header'?"),
        ("--path", "doc/", "no indexed document matches --path 'doc/'", "did you mean 'docs/'?"),
        ("--path", "heron.rst", "no indexed document matches --path 'heron.rst'", "did you mean 'heron.md'?"),
    ],
)
def test_a_value_that_nothing_has_is_an_error(
    muniment: Any, indexed: Path, option: str, value: str, says: str, hint: str
) -> None:
    ran = muniment("search", "kestrel", option, value)
    assert (ran.code, ran.out, ran.err) == (2, "", f"error: {says}\nhint: {hint}\n")


@pytest.mark.parametrize(("option", "value"), [("--source", "opps"), ("--path", "doc/")])
def test_a_question_is_limited_by_the_same_rules(muniment: Any, indexed: Path, option: str, value: str) -> None:
    for question in ("what follows the kestrel?", "How much did we pay in total in 2025?"):
        ran = muniment("ask", question, option, value)
        assert ran.code == 2
        assert "hint: did you mean" in ran.err


def test_one_wrong_value_among_right_ones_is_an_error(muniment: Any, indexed: Path) -> None:
    assert muniment("search", "kestrel", "--section", "configuration", "--section", "purposes").code == 2
    assert muniment("search", "kestrel", "--path", "docs/", "--path", "man/").code == 2


def test_a_kind_that_does_not_exist_is_told_from_the_others(muniment: Any, indexed: Path) -> None:
    ran = muniment("search", "kestrel", "--kind", "headers")
    assert ran.code == 2
    assert "'header'" in ran.err


@pytest.mark.parametrize(
    "how",
    [
        ("--section", "configuration"),
        ("--type", "HEADER"),
        ("--source", "ops", "--kind", "header"),
        ("--path", "*.sh"),
        ("--path", "scripts/", "--path", "docs/", "--path", "!docs/"),
    ],
)
def test_a_value_that_is_there_limits_the_search(muniment: Any, indexed: Path, how: tuple[str, ...]) -> None:
    ran = muniment("search", "kestrel", "--json", *how)
    assert ran.code == 0
    assert {hit["path"] for hit in ran.json["hits"]} == {"scripts/kestrel.sh"}


def test_a_right_value_that_the_words_do_not_meet_is_no_error(muniment: Any, indexed: Path) -> None:
    ran = muniment("search", "heron", "--path", "scripts/")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("no hits")


def test_the_nearest_value_is_found_in_any_case_and_by_part() -> None:
    known = ["OPERATIONAL SAFEGUARDS", "PURPOSE", "Usage"]
    assert nearest("safeguards", known) == "did you mean 'OPERATIONAL SAFEGUARDS'?"
    assert nearest("purpos", known) == "did you mean 'PURPOSE'?"
    assert nearest("qqq", [f"section {n}" for n in range(10)]).endswith(", and 4 more")
    assert nearest("anything", []) == "the index holds none at all"


NOTES = {
    "north.md": "---\nmission: North Sea\n---\n# Gull\n\nThe gull dives.\n",
    "south.md": "---\nmission: South\n---\n# Tern\n\nThe gull follows the tern.\n",
    "none.md": "# Gull\n\nThe gull rests.\n",
}


@pytest.fixture
def notes(muniment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An indexed vault of two missions, beside a repository of none."""
    make_repo(tmp_path / "ops", FILES)
    write(tmp_path / "notes", NOTES)
    tables = (f'[[sources]]\nname = "{one}"\nkind = "{kind}"\npath = "{one}"\n' for one, kind in KINDS.items())
    write(tmp_path, {"muniment.toml": "\n".join(tables)})
    monkeypatch.setenv("MUNIMENT_CONFIG", str(tmp_path / "muniment.toml"))
    assert muniment("index").code == 0


KINDS = {"notes": "vault", "ops": "git"}


def test_a_namespace_limits_searches_and_questions(muniment: Any, notes: None) -> None:
    found = muniment("search", "gull", "--json", "--namespace", "NORTH SEA").json["hits"]
    assert [(hit["path"], hit["namespace"]) for hit in found] == [("north.md", "North Sea")]
    both = muniment("search", "gull", "--json", "--namespace", "South", "--namespace", "North Sea").json["hits"]
    assert {hit["path"] for hit in both} == {"north.md", "south.md"}
    none = muniment("search", "gull", "--json", "--namespace", "South", "--section", "Gull").json["hits"]
    assert none == []
    answer = muniment("ask", "what does the gull follow?", "--json", "--namespace", "South").json
    assert {one["path"] for one in answer["excerpts"]} == {"south.md"}


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_namespace_that_is_not_there_is_an_error(muniment: Any, notes: None, command: str) -> None:
    ran = muniment(command, "what of the gull?", "--namespace", "Nord Sea")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: no namespace 'Nord Sea' in this index\nhint: did you mean 'North Sea'?\n"


def test_without_any_namespace_it_is_said(muniment: Any, indexed: Path) -> None:
    assert muniment("search", "kestrel", "--namespace", "x").err.endswith("hint: the index holds none at all\n")


ODD = ["[a].md", "a*.md", "what?.md", "#a.md", "!a.md", "a,b.md", "back\\slash.md", "end ", "x/[b]/c.md"]


@pytest.mark.parametrize("name", ODD)
def test_the_hint_at_a_path_can_be_typed(muniment: Any, tmp_path: Path, name: str) -> None:
    repo = make_repo(tmp_path / "odd", {name if name.endswith(".md") else f"README{name}": "# Kestrel\n\nIt flies.\n"})
    assert muniment("index", repo).code == 0
    ran = muniment("search", "kestrel", "--path", "nowhere/else/at-all")
    hints = re.findall(r"there is: (.*)|did you mean '(.*)'", ran.err)
    place = "".join(hints[0]).partition(", ")[0]
    assert len(muniment("search", "kestrel", "--path", place, "--json").json["hits"]) == 1
