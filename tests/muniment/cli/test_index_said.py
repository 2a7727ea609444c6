"""What `index` and `status` say of a source, as a person reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import commit_all, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"a.md": "# Kestrel\n\nIt flies.\n"})


def test_one_of_a_thing_is_said_as_one(muniment: Any, repo: Path) -> None:
    first = muniment("index", repo).out
    assert ": 1 document, 1 chunk\n  1 file: 1 indexed" in first
    assert muniment("index", repo).out.endswith(", 1 document, 1 chunk\n")
    assert "source      repo: 1 document, 1 chunk at " in muniment("status").out


def test_a_source_without_documents_is_pointed_out(muniment: Any, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_INDEX__INCLUDE", '["doc/"]')
    ran = muniment("index", repo)
    assert ran.code == 0
    assert "note: nothing in 'repo' is documentation that patterns and settings let in" in ran.err


def test_a_name_counts_where_nothing_is_new(muniment: Any, repo: Path) -> None:
    muniment("index", repo)
    assert muniment("index", repo, "--name", "repo").out.startswith("repo: nothing new")
    assert muniment("index", repo, "--name", "other").out.startswith("other at ")
    write(repo, {"a.md": "# Kestrel\n\nIt lands.\n"})
    commit_all(repo)
    for name in ("repo", "other"):
        assert muniment("index", repo, "--name", name).out.startswith(f"{name} at ")
