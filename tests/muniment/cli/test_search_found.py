"""What `muniment search` finds, what filters leave of it, and where it can be opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.store.reader import Filter
from tests.conftest import make_repo
from tests.flows.held import section

pytestmark = pytest.mark.usefixtures("words_only")


@pytest.mark.parametrize(
    ("flags", "kept"),
    [
        (("--kind", "template"), lambda hit: hit["kind"] == "template"),
        (("--section", "operational safeguards"), lambda hit: hit["section"] == "OPERATIONAL SAFEGUARDS"),
        (("--path", "docs/"), lambda hit: hit["path"].startswith("docs/")),
        (
            ("--path", "*.sh", "--path", "!mover.sh"),
            lambda hit: hit["path"].endswith(".sh") and "mover" not in hit["path"],
        ),
    ],
    ids=["kind", "section", "path", "paths"],
)
def test_filters_hold_whatever_the_words(
    muniment: Any, sample: Path, flags: tuple[str, ...], kept: Callable[[dict[str, Any]], bool]
) -> None:
    muniment("index", sample)
    hits = muniment("search", "mover cache disk", "--limit", 50, "--json", *flags).json["hits"]
    assert hits
    assert all(map(kept, hits))


def test_every_hit_can_be_opened_at_its_lines(muniment: Any, sample: Path) -> None:
    muniment("index", sample)
    for hit in muniment("search", "mover cache backup disk default", "--limit", 100, "--json").json["hits"]:
        raw = (sample / hit["path"]).read_bytes()
        lines = raw.decode("latin-1" if "site-note" in hit["path"] else "utf-8").replace("\r\n", "\n").split("\n")
        slice_ = lines[hit["line_start"] - 1 : hit["line_end"]]
        for shown, there in zip(hit["text"].split("\n"), slice_, strict=True):
            assert shown.strip() in there


def test_equal_texts_take_one_place(muniment: Any, tmp_path: Path) -> None:
    text = "# Restoring\n\nCopy the dump back and replay the journal.\n"
    repo = make_repo(tmp_path / "repo", {"a/README.md": text, "b/README.md": text, "c.md": section("c")})
    muniment("index", repo)
    (hit,) = muniment("search", "replay the journal", "--json").json["hits"]
    assert hit["path"] == "a/README.md"
    assert hit["also"] == ["b/README.md:1"]


def test_searching_without_an_index_says_what_to_do(muniment: Any, own_place: Path) -> None:
    ran = muniment("search", "x")
    assert ran.code == 10
    assert ran.err == f"error: no index at '{own_place / 'index'}'\nhint: build one with 'muniment index PATH'\n"
    assert not own_place.exists()


def test_a_filter_never_becomes_syntax(muniment: Any, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"alpha.md": section("alpha")})
    muniment("index", repo)
    ran = muniment("search", "alpha", "--section", "x' OR '1'='1")
    assert (ran.code, ran.out) == (2, "")
    assert "x' OR '1'='1" in ran.err
    assert Filter(sections=("x",)).expression() is not None
