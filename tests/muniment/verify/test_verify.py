"""`muniment verify`: what is published against hashes, itself, the run ledger and the sources."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran, commit_all, make_repo, write
from tests.muniment.verify.damage import current, file_with, files_of, flip, flip_middle, republish

Muniment = Callable[..., Ran]
README = "path = 'README.md'"
HELD = "its text is not what stands on its lines"


def said(ran: Ran) -> list[str]:
    return [finding["said"] for finding in ran.json["findings"]]


@pytest.mark.parametrize("deep", [[], ["--deep"]])
def test_a_whole_index_is_all_right(muniment: Muniment, home: Path, deep: list[str]) -> None:
    ran = muniment("verify", *deep)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("generation 2: all right\n")


def test_it_says_how_much_it_looked_at(muniment: Muniment, home: Path) -> None:
    shown = muniment("verify", "--json").json
    rows = {"documents": 3, "compared": 3, "chunks": 7, "vectors": 7, "asked": 7, "ledger": 1}
    assert rows.items() <= shown["looked"].items()
    assert shown["looked"]["files"] == len(files_of(home)) - 3
    assert (shown["ok"], shown["unchecked"], shown["findings"]) == (True, {}, [])


def test_without_an_index_it_says_so(muniment: Muniment) -> None:
    ran = muniment("verify")
    assert (ran.code, ran.out) == (10, "")
    assert ran.err.startswith("error: no index at ")


def test_one_that_was_never_whole_has_its_own_code(muniment: Muniment, home: Path) -> None:
    (home / "index" / "current.json").write_text("{")
    shutil.rmtree(home / "index" / "generations")
    ran = muniment("verify")
    assert (ran.code, ran.err) == (1, "hint: mend it with 'muniment repair'\n")
    assert "pointer: current.json: is torn" in ran.out


KEY = "its key is not that of its source and path"
OTHER = "it says another document than its own"
ROWS: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "text": ("chunks", lambda t: t.update(README, {"text": "Nobody."}), "its text is not the one that its hash names"),
    "text and hash": (
        "chunks",
        lambda t: t.update(README, values_sql={"text": "title", "text_hash": "encode(sha256(title), 'hex')"}),
        HELD,
    ),
    "context": ("chunks", lambda t: t.update(README, {"context": "x"}), "its text or context is not the one that was"),
    "terms": ("chunks", lambda t: t.update(README, {"terms": "x"}), "what full-text search reads is not"),
    "lines": ("chunks", lambda t: t.update(README, values_sql={"line_start": "line_start - 1"}), HELD),
    "section": ("chunks", lambda t: t.update(README, {"section": "x"}), "it is filed under another heading"),
    "its document": ("chunks", lambda t: t.update(README, {"path": "x"}), OTHER),
    "sensitivity": (
        "chunks",
        lambda t: t.update(README, {"sensitivity": "x"}),
        "it says another document than its own",
    ),
    "no such document": ("chunks", lambda t: t.update(README, {"doc_id": "x"}), "its document is not there"),
    "chunk lost": ("chunks", lambda t: t.delete(README), "a line of it is in no chunk"),
    "chunk twice": ("chunks", lambda t: t.add(t.to_arrow()), "stands twice"),
    "vector": (
        "chunks",
        lambda t: t.update(README, {"vector": [1.0] + [0.0] * 383}),
        "its vector is not the one that was computed",
    ),
    "vector lost": (
        "chunks",
        lambda t: t.update(README, {"vector": None}),
        "chunks wait for a vector",
    ),
    "document lost": ("documents", lambda t: t.delete(README), "source ops has 2 documents"),
    "document twice": ("documents", lambda t: t.add(t.to_arrow()), "stands twice"),
    "sha256": ("documents", lambda t: t.update(README, {"sha256": "x"}), "its SHA-256 is not that of the file"),
    "count": ("documents", lambda t: t.update(README, {"chunk_count": 9}), "its chunks are not as many as it counts"),
    "source": (
        "documents",
        lambda t: t.update(README, {"source": "x"}),
        "documents are of a source that is not",
    ),
    "claim": ("claims", lambda t: t.update("true", {"path": "x"}), KEY),
    "claim of none": (
        "claims",
        lambda t: t.update("true", {"doc_id": "x"}),
        "its key is not that of its source and path",
    ),
    "skipped": ("skipped", lambda t: t.update("true", {"path": "x"}), KEY),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_that_is_not_what_it_should_be_is_found(muniment: Muniment, home: Path, row: str) -> None:
    """Though every file has the checksum that it was published with."""
    table, change, expected = ROWS[row]
    republish(home, table, change)
    ran = muniment("verify", "--json")
    assert ran.code == 1
    assert any(expected in one for one in said(ran)), said(ran)
    assert {finding["mend"] for finding in ran.json["findings"]} == {"muniment repair"}


def test_rows_that_search_does_not_know_are_found(muniment: Muniment, home: Path) -> None:
    republish(home, "chunks", lambda table: table.drop_index("terms_idx"))
    assert said(muniment("verify", "--json")) == ["has no full-text index"]


def test_a_row_is_named_by_its_place(muniment: Muniment, home: Path) -> None:
    republish(home, "chunks", lambda table: table.update("line_start = 5", {"text": "x"}))
    assert "  - ops:README.md:5\n" in muniment("verify").out


def test_a_lost_file_is_named_without_reading_it(muniment: Muniment, home: Path) -> None:
    lost = file_with(home, "/data/")
    lost.unlink()
    ran = muniment("verify")
    assert ran.code == 1
    assert f"files: {lost.relative_to(home / 'index')}: can't be read: No such file or directory\n" in ran.out


def test_a_shortened_file_is_named(muniment: Muniment, home: Path) -> None:
    short = file_with(home, "_invert")
    short.write_bytes(short.read_bytes()[:-1])
    assert said(muniment("verify", "--json")) == [
        f"has {short.stat().st_size:,} bytes, {short.stat().st_size + 1:,} were written"
    ]


def test_only_a_deep_look_reads_every_byte(muniment: Muniment, home: Path) -> None:
    damaged = file_with(home, "documents_")
    raw = damaged.read_bytes()
    at = raw.index(current(home).sources["ops"].commit.encode())  # which no other column is made of
    flip(damaged, 8 * at)
    assert muniment("verify").code == 0
    ran = muniment("verify", "--deep", "--json")
    assert (ran.code, said(ran)) == (1, ["is not what was written: its checksum differs"])


def test_words_that_can_not_be_read_are_told_from_rows(muniment: Muniment, home: Path) -> None:
    flip_middle(file_with(home, "_tokens"))
    (finding,) = muniment("verify", "--json").json["findings"]
    assert (finding["part"], finding["remedy"]) == ("words", "search index")
    assert "cargo" not in finding["said"]


def test_counts_are_held_against_the_run(muniment: Muniment, home: Path) -> None:
    path = home / "runs" / current(home).run / "run.json"
    record = json.loads(path.read_text())
    record["sources"][0]["chunks"] = 99
    path.write_text(json.dumps(record))
    assert said(muniment("verify", "--json")) == ["source ops: chunks is 99, published is 7"]


@pytest.mark.parametrize("torn", [b"{", b"[]", b"\xff"])
def test_a_torn_record_of_a_run_is_named(muniment: Muniment, home: Path, torn: bytes) -> None:
    (home / "runs" / current(home).run / "run.json").write_bytes(torn)
    assert said(muniment("verify", "--json")) == ["is torn; it is only a record, and nothing reads it to answer"]


def test_a_run_that_left_no_record_is_no_fault(muniment: Muniment, home: Path) -> None:
    """It was killed after it had published."""
    shutil.rmtree(home / "runs")
    ran = muniment("verify")
    assert ran.code == 0
    assert f"not compared: ledger: the record of run {current(home).run} is not there" in ran.out


def test_a_source_that_moved_on_is_compared_as_it_was(muniment: Muniment, home: Path) -> None:
    repo = Path(current(home).sources["ops"].path)
    before = (repo / "README.md").read_text()
    write(repo, {"README.md": "# Another\n\nText.\n"})
    commit_all(repo)
    try:
        shown = muniment("verify", "--json").json
    finally:
        write(repo, {"README.md": before})
        commit_all(repo)
    assert (shown["ok"], shown["looked"]["compared"], shown["unchecked"]) == (True, 3, {})


def test_a_source_that_is_not_there_is_not_compared(muniment: Muniment, home: Path) -> None:
    repo = Path(current(home).sources["ops"].path)
    away = repo.rename(repo.with_name("away"))
    try:
        ran = muniment("verify", "--json")
    finally:
        away.rename(repo)
    assert (ran.code, ran.json["looked"]["compared"]) == (0, 0)
    assert "ops" in ran.json["unchecked"]


def test_a_search_that_meets_damage_names_the_command(muniment: Muniment, home: Path) -> None:
    file_with(home, "_invert").write_bytes(b"x" * 5_000)
    ran = muniment("search", "carries files", "--mode", "lexical")
    assert (ran.code, ran.err.splitlines()[-1]) == (12, "hint: mend it with 'muniment repair'")


def test_an_index_without_checksums_is_checked_as_far_as_it_goes(muniment: Muniment, home: Path) -> None:
    """One that an earlier muniment published."""
    for path in (home / "index" / "current.json", home / "index" / "generations" / "00000002.json"):
        values = json.loads(path.read_text())
        del values["sum"], values["files"]
        path.write_text(json.dumps(values))
    ran = muniment("verify", "--deep")
    assert ran.code == 0
    assert "not compared: files: they were published by a muniment that kept no checksums" in ran.out
    republish(home, "chunks", lambda table: table.update(README, {"text": "x"}))
    assert muniment("verify").code == 1


@pytest.mark.parametrize("text", ["word16be", "Überblick", "be it with their", "a" * 60, "naïve", "x1yyyyyyyyy"])
def test_a_part_of_a_word_is_not_asked_for(
    muniment: Muniment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDER__NAME", "none")
    muniment("index", make_repo(tmp_path / "odd", {"a.md": f"{text}\n"}))
    ran = muniment("verify")
    assert (ran.code, ran.err) == (0, "")
