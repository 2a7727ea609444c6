"""`muniment repair`: each kind of damage is mended, verifies clean, and embeds nothing that need not be."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from muniment.generation import held_generation, history_files, read_generation
from muniment.store.cache import cache_name
from muniment.store.manifest import manifest_name
from muniment.store.reader import open_reader
from tests.conftest import Ran, commit_all, write
from tests.muniment.verify.damage import current, file_with, flip, flip_middle, republish

Muniment = Callable[..., Ran]
README = "path = 'README.md'"
CHUNKS = 7
CHUNK_ROWS = "chunks_00000001.lance/data"


def cache_folder(home: Path) -> Path:
    return home / "index" / "tables" / f"{cache_name(current(home).fingerprint)}.lance"


def table(home: Path, name: str) -> Path:
    return home / "index" / "tables" / f"{current(home).tables[name].name}.lance"


def cached_vector(home: Path) -> None:
    """Turns one bit over in the cache, of a vector that a chunk has."""
    with open_reader(home / "index") as reader:
        vector = np.array(reader.chunks(["vector"])["vector"].to_pylist()[0], np.float32).tobytes()
    # A version that was compacted away may lie beside the one that is read until the next run.
    for data in (cache_folder(home) / "data").iterdir():
        if (at := data.read_bytes().find(vector)) >= 0:
            flip(data, 8 * at)


def each(*damages: Callable[[Path], object]) -> Callable[[Path], object]:
    return lambda home: [damage(home) for damage in damages]


def facts(home: Path) -> None:
    path = home / "index" / "seen" / "facts.sqlite"
    raw = bytearray(path.read_bytes())
    raw[4096:] = b"\xff" * (len(raw) - 4096)
    path.write_bytes(raw)


def one_fact(home: Path) -> None:
    with sqlite3.connect(home / "index" / "seen" / "facts.sqlite") as kept:
        kept.execute("UPDATE facts SET facts = replace(facts, '80', '81')")
    kept.close()


def tags(home: Path) -> None:
    for path in (table(home, "documents") / "_refs" / "tags").iterdir():
        path.write_text("{")


class Case(NamedTuple):
    """A damage, what is made again for it, and what is said of it."""

    damage: Callable[[Path], object]
    made: tuple[int, int, int, str]
    """Documents cut again, texts with a vector from the cache, texts embedded, tables built anew."""
    done: str


NOTHING = (0, 0, 0, "")
ONE_DOCUMENT = (1, 3, 0, "")
"""The README, with its three chunks."""
EVERYTHING = "chunks claims documents effectiveness skipped"


def with_rows(table: str, change: Callable[[Any], object]) -> Callable[[Path], object]:
    return lambda home: republish(home, table, change)


def flipped(piece: str) -> Callable[[Path], object]:
    return lambda home: flip_middle(file_with(home, piece))


def text(home: Path) -> None:
    republish(home, "chunks", lambda t: t.update(README, {"text": "x"}))


def no_full_text(home: Path) -> None:
    republish(home, "chunks", lambda t: t.drop_index("terms_idx"))


def lost(name: str) -> Callable[[Path], object]:
    return lambda home: shutil.rmtree(table(home, name))


CASES = {
    # The generation before has all but the README as it is.
    "rows": Case(flipped(CHUNK_ROWS), (1, 3, 0, "chunks"), "documents cut again: 1; vectors from the cache: 3;"),
    "documents": Case(flipped("documents_00000001.lance/data"), (1, 0, 0, "documents"), "built anew: documents"),
    # A writer can't go on from an earlier version without the newest one's manifest.
    "manifest": Case(flipped("chunks_00000001.lance/_versions"), (3, 7, 0, "chunks"), "built anew: chunks"),
    "missing table": Case(lost("chunks"), (3, 7, 0, "chunks"), "built anew: chunks"),
    "missing documents": Case(lost("documents"), (3, 0, 0, "documents"), "built anew: documents"),
    "missing claims": Case(lost("claims"), (0, 0, 0, "claims"), "built anew: claims"),
    "missing counts": Case(lost("effectiveness"), (0, 0, 0, "effectiveness"), "built anew: effectiveness"),
    "missing file": Case(
        lambda home: file_with(home, "skipped_00000001.lance/data").unlink(), (0, 0, 0, "skipped"), "anew: skipped"
    ),
    "two tables": Case(each(lost("claims"), lost("skipped")), (0, 0, 0, "claims skipped"), "anew: claims, skipped"),
    "documents and rows": Case(
        each(flipped(CHUNK_ROWS), flipped("documents_00000001.lance/data")), (1, 3, 0, "chunks documents"), "again: 1"
    ),
    "all tables": Case(
        lambda home: shutil.rmtree(home / "index" / "tables"), (3, 0, CHUNKS, EVERYTHING), "everything is built anew"
    ),
    "text": Case(text, ONE_DOCUMENT, "cut again: 1"),
    "chunk lost": Case(with_rows("chunks", lambda t: t.delete(README)), ONE_DOCUMENT, "cut again: 1"),
    "vector": Case(
        with_rows("chunks", lambda t: t.update(README, {"vector": [1.0] + [0.0] * 383})), ONE_DOCUMENT, "cut again: 1"
    ),
    "document lost": Case(with_rows("documents", lambda t: t.delete(README)), ONE_DOCUMENT, "cut again: 1"),
    "full text": Case(flipped("_invert"), NOTHING, "search indexes are made anew"),
    "full text lost": Case(no_full_text, NOTHING, "search indexes are made"),
    "full text and text": Case(
        each(text, flipped("_invert")), ONE_DOCUMENT, "again: 1"
    ),
    "pointer": Case(lambda home: (home / "index/current.json").write_text("{"), NOTHING, "names generation 2 again"),
    "pointer lost": Case(lambda home: (home / "index/current.json").unlink(), NOTHING, "names generation 2 again"),
    "pointer's bit": Case(lambda home: flip(home / "index/current.json", 9_000), NOTHING, "generation 2 again"),
    "generation lost": Case(lambda home: history_files(home / "index")[0].unlink(), NOTHING, "is written anew"),
    "generation torn": Case(lambda home: flip(history_files(home / "index")[0], 9_000), NOTHING, "is written anew"),
    "list torn": Case(lambda home: flip_middle(home / "index/generations/00000002.files"), NOTHING, "taken anew"),
    "list torn and rows": Case(
        each(
            text,
            lambda home: flip_middle(home / "index/generations/00000003.files"),
        ),
        *(ONE_DOCUMENT, "cut again: 1"),
    ),
    "earlier list": Case(lambda home: flip_middle(home / "index/generations/00000001.files"), NOTHING, "1, which was"),
    "cached vector": Case(cached_vector, NOTHING, "1 vectors came from whole chunks"),
    "cache lost": Case(
        each(lambda home: shutil.rmtree(cache_folder(home)), flipped("documents_")),
        *((1, 0, 0, "documents"), "7 vectors came from whole chunks"),
    ),
    "cache unreadable": Case(
        lambda home: [path.write_bytes(b"x") for path in (cache_folder(home) / "_versions").glob("*.manifest")],
        *(NOTHING, "7 vectors came from whole chunks"),
    ),
    "cache half removed": Case(
        lambda home: shutil.rmtree(cache_folder(home) / "_versions"), NOTHING, "7 vectors came from whole chunks"
    ),
    # Whose vector it was: the earlier generation has it, or it is computed.
    "cached vector and rows": Case(each(cached_vector, flipped(CHUNK_ROWS)), (1, 3, 0, "chunks"), "cut again: 1"),
    "cached vector and table": Case(each(cached_vector, lost("chunks")), (3, 6, 1, "chunks"), "embedded: 1"),
    "facts": Case(facts, NOTHING, "what was seen of the sources is dropped"),
    "one fact": Case(one_fact, NOTHING, "what was seen of the sources is dropped"),
    "marks": Case(tags, NOTHING, "marks on versions that could not be read are dropped"),
    "record": Case(
        lambda home: (home / "runs" / current(home).run / "run.json").write_text("{"), NOTHING, "run.json is dropped"
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_what_is_damaged_is_mended(muniment: Muniment, home: Path, case: str) -> None:
    damage, made, done = CASES[case]
    damage(home)
    ran = muniment("repair", "--json")
    assert ran.code == 0, ran.json["after"]
    assert not ran.json["before"]["ok"]
    assert any(done in one for one in ran.json["done"]), ran.json["done"]
    assert (*list(ran.json["made"].values())[:3], " ".join(ran.json["made"]["tables"])) == made
    assert bool(ran.json["run"]) == (case == "all tables")
    assert muniment("verify", "--deep").code == 0
    assert "README.md:1" in muniment("search", "carries files to the archive").out
    assert muniment("index").code == 0


def test_damage_of_rows_hides_none_of_the_cache(muniment: Muniment, home: Path) -> None:
    cached_vector(home)
    flip_middle(file_with(home, CHUNK_ROWS))
    found = muniment("verify", "--deep", "--json").json["findings"]
    assert [finding["part"] for finding in found] == ["files", "cache"]


def test_a_run_that_can_not_read_the_cache_names_the_command(muniment: Muniment, home: Path) -> None:
    shutil.rmtree(cache_folder(home) / "_versions")
    ran = muniment("index", "--force")
    assert ran.code == 12
    assert ran.err.splitlines()[-1] == "hint: mend it with 'muniment repair'"


def test_with_nothing_damaged_nothing_is_done(muniment: Muniment, home: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.is_file() and path.suffix != ".sqlite"}
    ran = muniment("repair")
    assert ran.code == 0
    assert ran.out.endswith("nothing to mend\n")
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_it_says_what_was_wrong_and_what_was_done(muniment: Muniment, home: Path) -> None:
    flip_middle(file_with(home, "documents_00000001.lance/data"))
    lines = muniment("repair").out.splitlines()
    assert lines[0] == "generation 2: damaged, 1 fault"
    counts = "documents cut again: 1; vectors from the cache: 0; embedded: 0; tables built anew: documents"
    assert f"mended: {counts}" in lines
    assert "mended: generation 2, which was damaged, is given up" in lines
    assert "generation 3: all right" in lines


def test_when_a_claim_was_first_seen_survives_damage_elsewhere(muniment: Muniment, home: Path) -> None:
    def seen() -> list[Any]:
        with open_reader(home / "index") as reader:
            return reader.rows("claims", ["option", "first_seen"]).to_pylist()

    before = seen()
    assert [claim["option"] for claim in before] == ["MOVER_RATE"]
    flip_middle(file_with(home, CHUNK_ROWS))
    assert muniment("repair").code == 0
    assert seen() == before
    # With a damaged table of their own they are those of the newest generation in which it is whole.
    flip_middle(file_with(home, "claims_"))
    assert muniment("repair").code == 0
    assert muniment("verify", "--deep").code == 0


def test_another_embedder_in_the_settings_stops_a_repair(
    muniment: Muniment, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To embed everything anew is the operator's to start."""
    flip_middle(file_with(home, CHUNK_ROWS))
    monkeypatch.setenv("MUNIMENT_EMBEDDER__NAME", "none")
    ran = muniment("repair")
    assert ran.code == 12
    assert "muniment index --force" in ran.err


def test_where_nothing_can_be_read_the_command_is_named(muniment: Muniment, home: Path) -> None:
    repo = current(home).sources["ops"].path
    (home / "index" / "current.json").write_text("{")
    for path in history_files(home / "index"):
        path.write_text("{")
    ran = muniment("repair")
    assert (ran.code, ran.out) == (2, "")
    assert "muniment index PATH" in ran.err
    assert muniment("index", repo, "--json").json["embedded"] == 0
    assert muniment("verify", "--deep").code == 0


def test_an_earlier_generation_that_somebody_reads_is_left_and_named(muniment: Muniment, home: Path) -> None:
    flip_middle(home / "index" / "generations" / "00000001.files")
    with held_generation(home / "index", 1):
        ran = muniment("repair")
    assert ran.code == 1
    assert "generation 1 is damaged, and somebody still reads it" in ran.out
    assert muniment("repair").code == 0


def test_a_repair_during_a_run_is_told_to_wait(muniment: Muniment, home: Path) -> None:
    from muniment.store.writer import write_lock

    (home / "index" / "current.json").write_text("{")
    with write_lock(home / "index"):
        assert muniment("repair").code == 75
    assert muniment("repair").code == 0


def old_version(home: Path) -> Path:
    """The description of the version that the generation before is read from."""
    earlier = read_generation(history_files(home / "index")[-1]).tables["chunks"]
    assert earlier != current(home).tables["chunks"]
    return home / "index" / "tables" / f"{earlier.name}.lance" / manifest_name(earlier.version)


@pytest.mark.parametrize("tear", [lambda path: path.write_bytes(b""), flip_middle], ids=["emptied", "a bit"])
def test_an_old_version_that_is_torn_stops_nothing_after_a_repair(
    muniment: Muniment, home: Path, tear: Callable[[Path], object]
) -> None:
    """A writer reads the descriptions of all versions, needed or not."""
    tear(old_version(home))
    assert muniment("verify", "--deep").code == 1
    assert muniment("repair").code == 0
    assert muniment("verify", "--deep").code == 0
    text(home)
    assert muniment("repair").code == 0
    assert muniment("index", "--force").code == 0


def test_a_run_that_meets_a_torn_version_names_the_command(muniment: Muniment, home: Path) -> None:
    repo = Path(current(home).sources["ops"].path)
    before = (repo / "README.md").read_text()
    old_version(home).write_bytes(b"")
    write(repo, {"README.md": before + "\nOnce more.\n"})
    commit_all(repo)
    try:
        ran = muniment("index")
    finally:
        write(repo, {"README.md": before})
        commit_all(repo)
    assert (ran.code, ran.err.splitlines()[-1]) == (12, "hint: mend it with 'muniment repair'")
