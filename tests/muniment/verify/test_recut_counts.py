"""What a repair costs: files read, texts embedded and tables written are those of what is damaged, and no others."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment.store.cache import cache_name
from tests.conftest import Ran, commit_all, git, make_repo, write
from tests.muniment.embedders.servers import EmbeddingServer
from tests.muniment.verify.damage import current, file_with, flip_middle, republish
from tests.muniment.verify.whole import assert_equal, everything

Muniment = Callable[..., Ran]
NAMES = ("heron", "stork", "crane", "ibis", "egret", "bittern")
PAGES = {f"docs/{name}.md": f"# {name}\n\nThe {name} waits.\n\n## Food\n\nThe {name} eats.\n" for name in NAMES}
HERON = "path = 'docs/heron.md'"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """The model of these tests, which remembers what it was sent."""
    with EmbeddingServer("openai") as running:
        for key, value in {"NAME": "openai", "MODEL": "tiny", "URL": running.url}.items():
            monkeypatch.setenv(f"MUNIMENT_EMBEDDER__{key}", value)
        yield running


@pytest.fixture
def pages(muniment: Muniment, server: EmbeddingServer, tmp_path: Path) -> Path:
    """The repository of an index with one generation of six pages."""
    repo = make_repo(tmp_path / "pages", PAGES)
    assert muniment("index", repo).code == 0
    server.received.clear()
    return repo


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many files git was asked for since it was asked last; verifications, which read all, take them from it."""
    asked, shim, real = tmp_path / "asked", tmp_path / "shim" / "git", shutil.which("git")
    asked.touch()
    shim.parent.mkdir()
    shim.write_text(
        f'#!/bin/sh\ncase "$*" in\n*cat-file*) tee -a {asked} | exec {real} "$@" ;;\n*) exec {real} "$@" ;;\nesac\n'
    )
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")

    def count() -> int:
        # After each name comes one that no file has, by which the end of the answer is told.
        names = [line for line in asked.read_text().splitlines() if not line.startswith("end-")]
        asked.write_text("")
        return len(names)

    return count


def repaired(muniment: Muniment, home: Path, read: Callable[[], int]) -> tuple[int, dict[str, Any]]:
    """How many files the repair read beside those that verifying reads, and what it says that it made."""
    read()
    muniment("verify", "--deep")
    before = read()
    ran = muniment("repair", "--json")
    assert (ran.code, ran.json["run"]) == (0, None), ran.json
    during = read()
    muniment("verify", "--deep")
    return during - before - read(), ran.json["made"]


def texts(server: EmbeddingServer) -> list[str]:
    return [text for one in server.received for text in one.texts]


def test_one_damaged_row_costs_one_document(
    muniment: Muniment, pages: Path, own_place: Path, server: EmbeddingServer, read: Callable[[], int]
) -> None:
    before, tables = everything(own_place), current(own_place).tables
    republish(own_place, "chunks", lambda table: table.update(f"{HERON} AND line_start = 1", {"text": "Nobody."}))
    files, made = repaired(muniment, own_place, read)
    assert files == 1
    assert made == {"documents": 1, "from_cache": 2, "embedded": 0, "tables": []}
    assert texts(server) == []
    assert_equal(everything(own_place), before)
    untouched = ("skipped", "claims", "effectiveness")
    assert [current(own_place).tables[name] for name in untouched] == [tables[name] for name in untouched]


def test_only_what_no_cache_has_is_embedded(
    muniment: Muniment, pages: Path, own_place: Path, server: EmbeddingServer, read: Callable[[], int]
) -> None:
    """The other chunks of the document keep their vector, if only the table has it."""
    before = everything(own_place)
    republish(
        own_place, "chunks", lambda table: table.update(f"{HERON} AND line_start = 1", {"vector": [1.0] + [0.0] * 7})
    )
    shutil.rmtree(own_place / "index/tables" / f"{cache_name(current(own_place).fingerprint)}.lance")
    republish(own_place, "chunks", lambda table: table.update(f"{HERON} AND line_start = 1", {"text": "Nobody."}))
    _, made = repaired(muniment, own_place, read)
    assert (made["documents"], made["from_cache"], made["embedded"]) == (1, 0, 2)
    # A text whose vector is known goes along, by which it is told that the model is still the same.
    assert sum("heron" in text for text in texts(server)) == 2
    assert_equal(everything(own_place), before)


@pytest.mark.parametrize(
    ("table", "files"), [("documents", 6), ("chunks", 6), ("skipped", 0), ("claims", 0), ("effectiveness", 0)]
)
def test_a_lost_table_costs_that_table(
    muniment: Muniment,
    pages: Path,
    own_place: Path,
    server: EmbeddingServer,
    read: Callable[[], int],
    table: str,
    files: int,
) -> None:
    """Of the only generation that there is."""
    before, tables = everything(own_place), current(own_place).tables
    shutil.rmtree(own_place / "index" / "tables" / f"{tables[table].name}.lance")
    found, made = repaired(muniment, own_place, read)
    assert (found, made["documents"], made["embedded"], made["tables"]) == (files, files, 0, [table])
    assert texts(server) == []
    assert_equal(everything(own_place), before, [table])
    assert {name for name, now in current(own_place).tables.items() if now != tables[name]} == {table}


@pytest.mark.parametrize("table", ["documents", "chunks"])
def test_a_table_begins_with_the_generation_before(
    muniment: Muniment, pages: Path, own_place: Path, server: EmbeddingServer, read: Callable[[], int], table: str
) -> None:
    """Of two generations, one page of six is other."""
    write(pages, {"docs/ibis.md": "# Ibis\n\nThe ibis left.\n", "docs/owl.md": "# Owl\n\nThe owl came.\n"})
    git(pages, "rm", "-q", "docs/crane.md")
    commit_all(pages)
    muniment("index", pages)
    server.received.clear()
    before = everything(own_place)
    flip_middle(file_with(own_place, f"{table}_00000001.lance/data"))
    files, made = repaired(muniment, own_place, read)
    assert (files, made["documents"], made["embedded"]) == (2, 2, 0)
    assert texts(server) == []
    assert_equal(everything(own_place), before, [table])


def test_a_repository_is_read_as_it_was_indexed(
    muniment: Muniment, pages: Path, own_place: Path, server: EmbeddingServer, read: Callable[[], int]
) -> None:
    """What was committed since is none of a repair's business, even if it is that most is gone."""
    before = everything(own_place)
    git(pages, "rm", "-q", "-r", "docs")
    write(pages, {"docs/heron.md": "# Heron\n\nAnother.\n"})
    commit_all(pages)
    republish(own_place, "chunks", lambda table: table.update(HERON, {"text": "Nobody."}))
    flip_middle(file_with(own_place, "documents_00000001.lance/data"))
    ran = muniment("repair", "--json")
    assert (ran.code, ran.json["run"]) == (0, None)
    assert_equal(everything(own_place), before, ["documents"])
    assert muniment("status", "--json").json["sources"]["pages"]["commit"] == git(pages, "rev-parse", "HEAD~1").strip()


def test_without_the_commit_everything_is_built_anew(muniment: Muniment, pages: Path, own_place: Path) -> None:
    republish(own_place, "chunks", lambda table: table.update(HERON, {"text": "Nobody."}))
    git(pages, "checkout", "-q", "--orphan", "other")
    write(pages, {"docs/owl.md": "# Owl\n\nThe owl came.\n"})
    commit_all(pages)
    git(pages, "branch", "-D", "main")
    git(pages, "reflog", "expire", "--expire=now", "--all")
    git(pages, "gc", "-q", "--prune=now")
    ran = muniment("repair", "--json")
    assert ran.code == 0
    assert ran.json["run"]["documents"] == 7
    assert ran.json["done"][0].startswith("what is damaged could not be made again by itself: ")
