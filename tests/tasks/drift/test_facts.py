"""Facts: what each file says and decides, read once for each content."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from schemas.files import Entry, Listing, Skipped, Source
from tasks.drift.facts import Facts, gather_facts
from tasks.enumerate.git import Commit
from tests.conftest import commit_all, make_repo, write

DOC = "- `HTTP_PORT` (default: `80`): where it listens\n"
FILES: dict[str, str | bytes] = {
    "docs/a.md": DOC,
    "conf/a.conf.template": "# Port.\nHTTP_PORT=81\n",
    "src/x.c": "int x;\n",
    "pic.png": b"\x89PNG\0",
}


class Counting:
    """A reader of a commit that counts what it is asked to read."""

    def __init__(self, repo: Path) -> None:
        self._files = Commit(Source("ops", str(repo)))
        self.read: list[str] = []

    def list_files(self) -> Listing:
        return self._files.list_files()

    def read_files(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes] | Skipped]:
        entries = list(entries)
        self.read += [entry.path for entry in entries]
        return self._files.read_files(entries)

    def present_ids(self, paths: Collection[str]) -> Mapping[str, str]:
        return self._files.present_ids(paths)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", FILES)


def gathered(repo: Path, cache: Path, source: str = "ops") -> tuple[dict[str, Facts], list[str]]:
    files = Counting(repo)
    return gather_facts(files, files.list_files().entries, cache, source), files.read


def test_claims_and_truths_come_by_path(repo: Path, tmp_path: Path) -> None:
    facts, _ = gathered(repo, tmp_path / "facts.sqlite")
    assert [claim.option for claim in facts["docs/a.md"].claims] == ["HTTP_PORT"]
    assert [(truth.option, truth.value) for truth in facts["conf/a.conf.template"].truths] == [("HTTP_PORT", "81")]
    assert "pic.png" not in facts


def test_a_second_look_reads_nothing_and_says_the_same(repo: Path, tmp_path: Path) -> None:
    first, read = gathered(repo, tmp_path / "facts.sqlite")
    assert len(read) == len(FILES)
    again, read_again = gathered(repo, tmp_path / "facts.sqlite")
    assert again == first
    assert read_again == []


def test_only_what_changed_is_read_again(repo: Path, tmp_path: Path) -> None:
    gathered(repo, tmp_path / "facts.sqlite")
    write(repo, {"docs/a.md": DOC.replace("80", "8080")})
    (repo / "conf/a.conf.template").unlink()
    commit_all(repo)
    facts, read = gathered(repo, tmp_path / "facts.sqlite")
    assert read == ["docs/a.md"]
    assert [claim.documented for claim in facts["docs/a.md"].claims] == ["8080"]
    assert "conf/a.conf.template" not in facts


def test_two_sources_share_a_cache_and_nothing_else(repo: Path, tmp_path: Path) -> None:
    gathered(repo, tmp_path / "facts.sqlite", "one")
    other = make_repo(tmp_path / "other", {"b.md": DOC})
    assert gathered(other, tmp_path / "facts.sqlite", "two")[1] == ["b.md"]
    assert gathered(repo, tmp_path / "facts.sqlite", "one")[1] == []


@pytest.mark.parametrize("torn", [b"", b"not a database, but long enough to be taken for one" * 40])
def test_a_torn_cache_is_made_anew(repo: Path, tmp_path: Path, torn: bytes) -> None:
    cache = tmp_path / "facts.sqlite"
    cache.write_bytes(torn)
    facts, read = gathered(repo, cache)
    assert len(read) == len(FILES)
    assert facts == gathered(repo, cache)[0]


def test_a_page_that_is_damaged_further_in_is_no_end_of_the_run(repo: Path, tmp_path: Path) -> None:
    cache = tmp_path / "facts.sqlite"
    write(repo, {f"docs/{number}.md": DOC.replace("80", str(number)) for number in range(200)})
    commit_all(repo)
    whole, _ = gathered(repo, cache)
    raw = bytearray(cache.read_bytes())
    for page in range(4096, len(raw), 4096):
        raw[page : page + 64] = b"\xff" * 64
    cache.write_bytes(raw)
    assert gathered(repo, cache)[0] == whole
    assert gathered(repo, cache)[1] == []


def test_a_fact_that_is_not_what_was_written_is_read_again(repo: Path, tmp_path: Path) -> None:
    cache = tmp_path / "facts.sqlite"
    whole, _ = gathered(repo, cache)
    raw = cache.read_bytes()
    assert b'"HTTP_PORT", "81"' in raw
    cache.write_bytes(raw.replace(b'"HTTP_PORT", "81"', b'"HTTP_PORT", "80"'))
    assert gathered(repo, cache) == (whole, ["conf/a.conf.template"])


def test_a_cache_of_an_older_muniment_is_made_anew(repo: Path, tmp_path: Path) -> None:
    cache = tmp_path / "facts.sqlite"
    with contextlib.closing(sqlite3.connect(cache)) as old, old:
        old.execute("CREATE TABLE facts (source TEXT, key TEXT, facts TEXT, PRIMARY KEY (source, key))")
    assert len(gathered(repo, cache)[1]) == len(FILES)
    assert gathered(repo, cache)[1] == []
