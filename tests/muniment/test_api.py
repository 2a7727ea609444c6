"""The Python API, as a program uses it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

import muniment
from muniment import Index, open_index
from muniment.assembly import find_assembly
from muniment.errors import NoIndex, SettingsError, UsageError
from tests.conftest import Ran, commit_all, make_repo, write

pytestmark = pytest.mark.usefixtures("words_only")

FILES = {
    "docs/heron.md": "# Heron\n\nThe heron job prints labels.\n\n## Sleep\n\nThe heron job never sleeps.\n",
    "docs/wren.md": "# Wren\n\nThe wren job watches the tide.\n",
}
STABLE = {
    "search": "question limit mode kind type section source path namespace min_relevance as_of",
    "ask": "question max_docs model source path namespace today as_of",
    "assemble": "question max_tokens limit kind type section source path namespace min_relevance as_of",
    "read": "chunk_id before after",
    "report_used": "assembly used",
    "drift": "",
    "status": "",
    "close": "",
}


@pytest.fixture
def repo(muniment: Callable[..., Ran], tmp_path: Path) -> Path:
    made = make_repo(tmp_path / "birds", FILES)
    assert muniment("index", made).code == 0
    return made


def test_the_methods_keep_their_parameters() -> None:
    """Whoever changes this list changes programs of other people: say so in the changelog."""
    methods = {name: method for name, method in vars(Index).items() if not name.startswith("_")}
    found = {name: " ".join(list(inspect.signature(method).parameters)[1:]) for name, method in methods.items()}
    assert found == STABLE


def test_the_name_is_a_function_whatever_was_imported_before() -> None:
    assert muniment.open_index is open_index
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = muniment.nothing


def test_a_search_finds(repo: Path) -> None:
    with open_index() as index:
        found = index.search("never sleeps", limit=1, path=["docs/"])
    assert [(hit.path, hit.line_start, hit.line_end) for hit in found.hits] == [("docs/heron.md", 5, 7)]


def test_a_question_is_answered_with_its_source(repo: Path) -> None:
    with open_index() as index:
        answer = index.ask("Does the heron job ever sleep?", max_docs=3, today=date(2026, 1, 31))
    assert "never sleeps" in answer.answer
    assert answer.citations[0].path == "docs/heron.md"


def test_a_context_is_assembled_and_logged(repo: Path, own_place: Path) -> None:
    with open_index(own_place) as index:
        context = index.assemble("heron job", max_tokens=500)
        index.report_used(context.assembly, [context.parts[0].chunk_id])
    assert context.text.startswith("[doc] docs/heron.md:")
    logged = find_assembly(own_place, context.assembly)
    assert logged
    assert (logged["surface"], logged["act"]) == ("python", "assemble")


def test_a_chunk_is_read_between_its_neighbours(repo: Path) -> None:
    with open_index() as index:
        hit = index.search("never sleeps", limit=1).hits[0]
        read = index.read(hit.chunk_id, before=5, after=5)
        with pytest.raises(UsageError, match="no such chunk"):
            index.read("0" * 32)
    assert ([one.title for one in read.before], read.title, read.after) == (["Heron"], "Sleep", ())


def test_what_changes_is_seen_while_it_is_open(repo: Path, muniment: Callable[..., Ran]) -> None:
    with open_index() as index:
        assert index.status().number == 1
        write(repo, {"docs/owl.md": "# Owl\n\nThe owl job counts.\n"})
        commit_all(repo)
        muniment("index", repo)
        assert (index.status().number, index.search("owl").hits[0].path) == (2, "docs/owl.md")


def test_a_report_that_is_torn_is_no_night(repo: Path, own_place: Path) -> None:
    reports = own_place / "reports"
    reports.mkdir()
    with open_index() as index:
        for torn in ("{", "[]", json.dumps({"run": "x"})):
            (reports / "nightly.json").write_text(torn)
            assert index.drift().night is None


def test_what_a_night_found_is_told(repo: Path, own_place: Path, muniment: Callable[..., Ran]) -> None:
    muniment("nightly")
    with open_index() as index:
        night = index.drift().night
    assert night
    assert [one.source for one in night.drift] == ["birds"]


def test_opening_says_what_is_wrong(own_place: Path, tmp_path: Path) -> None:
    with pytest.raises(NoIndex):
        open_index(own_place)
    wrong = tmp_path / "muniment.toml"
    wrong.write_text("[ask]\nmax_docs = 0\n")
    with pytest.raises(SettingsError, match=r"ask\.max_docs"):
        open_index(config=wrong)
