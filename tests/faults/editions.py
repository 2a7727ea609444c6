"""A repository in editions, each of which changes every document: which one an answer comes from, its text says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from muniment.store.reader import open_reader
from tests.conftest import Ran, commit_all, git, make_repo, write

PARTS = 12
Muniment = Callable[..., Ran]
_EDITION = re.compile(r"\bedition (\d+)\b")
_COMPARED = {
    "documents": ["doc_id", "source", "path", "kind", "type", "title", "sha256", "size", "chunk_count", "encoding"],
    "chunks": ["chunk_id", "source", "path", "section", "title", "ordinal", "line_start", "line_end", "text", "terms"],
    "claims": ["path", "line", "option", "documented", "actual", "verdict"],
    "skipped": ["path", "reason"],
}


def documents(edition: int) -> dict[str, str]:
    """The files of one edition: most change, one is new each time, and the one of the edition before is gone."""
    parts = {
        f"docs/part{n}.md": f"# Part {n}\n\nAll of part {n} belongs to edition {edition}.\n\n"
        f"Default: {edition}\n\n## Care\n\nHandle part {n} of edition {edition} with care.\n"
        for n in range(PARTS)
    }
    return parts | {f"docs/only-in-{edition}.md": f"# Only once\n\nSeen in no other than edition {edition}.\n"}


def make_editions(folder: Path) -> Path:
    """The repository at its first edition."""
    return make_repo(folder, documents(1))


def turn_to(repo: Path, edition: int) -> None:
    """Commits another edition in place of the one that is there."""
    git(repo, "rm", "-q", "-r", "docs")
    write(repo, documents(edition))
    commit_all(repo, f"edition {edition}")


def edition_of(hits: Iterable[tuple[str, str]]) -> int:
    """The one edition that the paths and texts of an answer come from; it is all of it, for every document is asked."""
    found = list(hits)
    editions = {int(number) for _, text in found for number in _EDITION.findall(text)}
    assert len(editions) == 1, editions
    (edition,) = editions
    assert {path for path, _ in found} == documents(edition).keys()
    return edition


def edition_found(ran: Ran) -> int:
    """The one edition that a search printed."""
    return edition_of((hit["path"], hit["text"]) for hit in ran.json["hits"])


def search(muniment: Muniment, home: Path) -> Ran:
    """A search that every chunk answers to."""
    return muniment("search", "edition", "--mode", "lexical", "--limit", 50, "--json", "--home", home)


def answered_edition(muniment: Muniment, home: Path) -> int:
    """The edition that is answered from, whole and sound; 0 where nothing was ever published."""
    ran = search(muniment, home)
    if ran.code == 10:
        assert not (home / "index" / "current.json").exists()
        return 0
    assert ran.code == 0, ran.err
    verified = muniment("verify", "--home", home)
    assert verified.code == 0, verified.out + verified.err
    return edition_found(ran)


def contents(home: Path) -> dict[str, list[dict[str, Any]]]:
    """What the index holds, without what depends on the moment or the way it came about."""
    with open_reader(home / "index") as reader:
        tables = {name: reader.rows(name, columns).to_pylist() for name, columns in _COMPARED.items()}
    return {name: sorted(rows, key=repr) for name, rows in tables.items()}
