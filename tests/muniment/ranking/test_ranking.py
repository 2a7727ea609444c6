"""Ranking without an index: forms of questions, definitions, identifiers, and what each adds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ranking.candidates import Candidate
from muniment.ranking.definition import defined_term, defines
from muniment.ranking.fuse import rank
from muniment.ranking.intent import FORMS, SECTIONS, Form, favours, forms_of
from muniment.ranking.relevance import relevances
from muniment.ranking.words import identifiers_of, name_words, words_of


def candidate(text: str = "text", lexical: float = 0.0, cosine: float | None = None, **row: Any) -> Candidate:
    columns = {"path": "a.md", "line_start": 1, "source": "s", "kind": "doc", "section": "", "title": "", "context": ""}
    return Candidate(columns | {"text": text} | row, lexical=lexical, cosine=cosine)


@pytest.mark.parametrize(("form", "example"), [(form, example) for form in FORMS for example in form.examples])
def test_each_row_matches_its_examples(form: Form, example: str) -> None:
    assert form in forms_of(example)
    assert form in forms_of(f"{example.capitalize()}?")


def test_each_row_names_what_exists() -> None:
    assert {group for form in FORMS for group in form.sections} == set(SECTIONS)
    assert len({form.name for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize(
    ("section", "form"),
    [
        ("OPERATIONAL SAFEGUARDS", "safeguard"),
        ("Safety", "hazard"),
        ("CONFIGURATION", "setting"),
        ("Environment variables", "setting"),
        ("RUNTIME MODES", "option"),
        ("OPTIONS", "option"),
        ("DESIGN PRINCIPLES", "reason"),
        ("Why not a daemon?", "reason"),
        ("OPERATIONAL MODEL", "working"),
        ("How it works", "working"),
    ],
)
def test_sections_are_known_by_their_usual_names(section: str, form: str) -> None:
    (row,) = [each for each in FORMS if each.name == form]
    assert favours(row, section, "", "header")
    assert not favours(row, "History of the place", "", "header")


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is a snapshot?", "snapshot"),
        ("what's the cache tier", "cache tier"),
        ("What are the quiet hours?", "quiet hours"),
        ("What does thinning mean?", "thinning"),
        ("define parity", "parity"),
        ("What is the difference between a pool and an array?", ""),
        ("What is the default of MOVER_RATE?", ""),
        ("What does the mover do?", ""),
        ("How is it done?", ""),
        ("snapshot", ""),
    ],
)
def test_the_term_is_what_is_asked_to_be_defined(question: str, term: str) -> None:
    assert defined_term(question) == term


@pytest.mark.parametrize(
    "text",
    [
        "**A snapshot** is a dated folder.",
        "A snapshot is a dated folder.",
        "Intro.\nThe `snapshot` is what remains.",
        "Snapshots are the copies that we keep.",
        "Snapshot\n: A dated folder.",
        "- **Snapshot**: a dated folder",
        "snapshot - a dated folder",
        "Snapshot means a dated folder",
    ],
)
def test_a_definition_is_known_by_its_form(text: str) -> None:
    assert defines("snapshot", text)


@pytest.mark.parametrize(
    "text",
    ["The snapshot is full.", "Take a snapshot is easy", "Each snapshot costs a folder.", "No snapshots are there"],
)
def test_a_mention_is_no_definition(text: str) -> None:
    assert not defines("snapshot", text)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("does it take --dry-run", ("--dry-run",)),
        ("what is MOVER_STOP_TIMEOUT for", ("MOVER_STOP_TIMEOUT",)),
        ("where is scripts/mover.sh", ("scripts/mover.sh",)),
        ("set http.proxy and fooBar", ("http.proxy", "fooBar")),
        ("is JSON sent over HTTP and/or a pipe", ()),
        ("a pre-commit hook", ()),
    ],
)
def test_names_are_told_from_words(question: str, names: tuple[str, ...]) -> None:
    assert identifiers_of(question) == names


def test_words_are_compared_without_their_endings() -> None:
    assert words_of("rotating") == words_of("rotates") == words_of("rotation") == words_of("rotate")
    assert words_of("snapshot_prune stopTimeout") == words_of("snapshots pruning, stop timeouts")


def test_a_nameless_file_is_called_after_its_folder() -> None:
    assert name_words("web/README.md") == ("web",)
    assert name_words("scripts/rotate-logs.sh") == words_of("rotate logs")


def test_a_table_of_contents_comes_after_the_answer() -> None:
    contents = candidate("- [Restore one file](#a)\n- [Back up](#b)\n- [Prune](#c)", lexical=9.0, cosine=0.6)
    answer = candidate("To restore one file, copy it back.", lexical=7.0, cosine=0.5)
    other = candidate("Quite another matter.", lexical=1.0, cosine=0.1)
    assert rank("restore one file", [contents, other, answer], "hybrid")[0] is answer


def test_few_words_in_common_say_little() -> None:
    """Where no candidate holds much of the question, meaning decides; where one holds it all, words do."""
    near = candidate("a rehearsal goes through each test", lexical=1.0, cosine=0.5)
    wordy = candidate("a trial of patience", lexical=9.0, cosine=0.4, line_start=2)
    far = candidate("something else", lexical=0.5, cosine=0.2, line_start=3)
    rows = [near, wordy, far]
    assert rank("would a trial run show what really happens tomorrow", rows, "hybrid")[0] is near
    assert rank("trial of patience", rows, "hybrid")[0] is wordy


def test_a_script_that_is_asked_about_is_favoured_most() -> None:
    rows = [
        candidate(path=f"{name}.sh", section="OPERATIONAL SAFEGUARDS", kind="header") for name in ("backup", "mover")
    ]
    first, second = rank("what stops two movers", rows, "lexical")
    assert first.row["path"] == "mover.sh"
    assert first.boosts["safeguard"] > second.boosts["safeguard"] > 0


@given(
    st.lists(st.tuples(st.text(max_size=20), st.floats(0, 50), st.none() | st.floats(-1, 1)), max_size=12),
    st.text(max_size=30),
)
def test_ranking_leaves_out_none_and_adds_none(rows: list[tuple[str, float, float | None]], question: str) -> None:
    given_ = [candidate(text, lexical, cosine, line_start=n) for n, (text, lexical, cosine) in enumerate(rows)]
    ranked = rank(question, given_, "hybrid")
    assert sorted(map(id, ranked)) == sorted(map(id, given_))
    assert all(0 <= each.coverage <= 1 + 1e-9 for each in ranked)
    found = relevances(ranked)
    assert found == sorted(found, reverse=True)
    assert all(0 <= each <= 1 for each in found)
