"""Search on a part of the sample corpus: words as people write them, and what holds for every answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.errors import UsageError
from muniment.search import Mode, Question, search
from muniment.store.reader import Filter, Reader, open_reader
from schemas.answers import Hit
from tests.conftest import make_repo
from tests.muniment.sample_index import indexed_sample

QUESTIONS = (
    "What is the mover?",
    "Which variable decides how old a file must be before the mover takes it?",
    "Why is the mover a timer job and not a daemon?",
    "What stops two movers from running at the same time?",
)
MODES: tuple[Mode, ...] = ("lexical", "vector", "hybrid")


PART = ("README.md", "scripts/mover.sh", "conf/mover.conf.template", "docs/site-note.txt", "web/spool-upload.php")


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return make_embedder(EmbedderChoice())


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with indexed_sample(tmp_path_factory.mktemp("search"), PART) as opened:
        yield opened


def hits(reader: Reader, words: str, embedder: Embedder | None, **how: Any) -> tuple[Hit, ...]:
    return search(reader, Question(words, **how), embedder).hits


def test_what_is_x_brings_the_prose_that_defines_it(reader: Reader, embedder: Embedder) -> None:
    (first, *_) = hits(reader, "What is the mover?", embedder)
    assert (first.path, first.kind) == ("README.md", "readme")
    assert first.boosts["definition"] > 0


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("MOVER_STOP_TIMEOUT", "mover"),
        ("${MOVER_STOP_TIMEOUT}", "mover"),
        ("MOVER_STOP_TIMEOUT=60", "mover"),
        ("stop timeout", "mover"),
        ("--dry-run", "mover"),
        ("scripts/mover.sh", "mover"),
        ("UPLOAD_MAX_BYTES", "upload"),
        ("movers moving", "mover"),
    ],
)
def test_identifiers_match_whole_and_by_part(reader: Reader, words: str, path: str) -> None:
    assert any(path in hit.path for hit in hits(reader, words, None, limit=5))


def test_a_name_spelled_out_beats_its_parts(reader: Reader, embedder: Embedder) -> None:
    for mode in MODES:
        (first, *_) = hits(reader, "what does MOVER_STOP_TIMEOUT do", embedder, mode=mode)
        assert "MOVER_STOP_TIMEOUT" in first.text, mode


@pytest.mark.parametrize("words", ["the", "C++", "é", "what is the"])
def test_a_word_that_stands_there_is_found(reader: Reader, words: str) -> None:
    assert hits(reader, words, None)


def test_words_without_blanks_between_are_found_by_part(
    muniment: Any, tmp_path: Path, own_place: Path, words_only: None
) -> None:
    repo = make_repo(tmp_path / "repo", {"a.md": "# 備份\n\n每天晚上備份所有文件。\n", "b.md": "# Other\n\nNothing.\n"})
    muniment("index", repo)
    with open_reader(own_place / "index") as reader:
        assert [hit.path for hit in hits(reader, "備份", None)] == ["a.md"]


@pytest.mark.parametrize(
    "words", ["", " ", "\x00", "~", '"', "((", "* AND (", "'; drop table", "x" * 2000, "mover " * 400]
)
def test_no_question_is_an_error(reader: Reader, embedder: Embedder, words: str) -> None:
    for mode in MODES:
        search(reader, Question(words, mode=mode), embedder)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.text(max_size=60))
def test_any_text_is_a_question(reader: Reader, words: str) -> None:
    found = hits(reader, words, None)
    assert len(found) <= 10


@pytest.mark.parametrize("mode", MODES)
def test_relevance_is_a_probability_that_never_rises(reader: Reader, embedder: Embedder, mode: Mode) -> None:
    for words in QUESTIONS:
        found = [hit.relevance for hit in hits(reader, words, embedder, mode=mode, limit=30)]
        assert found == sorted(found, reverse=True)
        assert all(0 <= relevance <= 1 for relevance in found)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_answered_is_more_relevant_than_what_is_not(reader: Reader, embedder: Embedder, mode: Mode) -> None:
    answered = [hits(reader, words, embedder, mode=mode)[0].relevance for words in QUESTIONS]
    elsewhere = ("How do I braise an octopus?", "Which king followed Louis XV?", "Tune a violin to A 440 by ear")
    others = [hit.relevance for words in elsewhere for hit in hits(reader, words, embedder, mode=mode, limit=1)]
    assert min(answered) > max(others, default=0.0)


def test_a_minimum_leaves_out_what_is_below_it(reader: Reader, embedder: Embedder) -> None:
    words = "What stops two movers from running at the same time?"
    every = hits(reader, words, embedder, limit=30)
    least = every[3].relevance
    assert hits(reader, words, embedder, limit=30, min_relevance=least) == tuple(
        hit for hit in every if hit.relevance >= least
    )


@pytest.mark.parametrize("how", [{"limit": 0}, {"min_relevance": 1.5}, {"min_relevance": -0.1}])
def test_a_bound_outside_its_range_is_refused(reader: Reader, how: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        search(reader, Question("mover", **how), None)


def test_a_boost_removes_nothing(reader: Reader, embedder: Embedder) -> None:
    words = "Why does the mover copy and delete instead of using mv?"
    favoured = {hit.chunk_id for hit in hits(reader, words, embedder, limit=400)}
    lexical = {hit.chunk_id for hit in hits(reader, words, None, limit=400)}
    assert lexical <= favoured


def test_a_filter_is_pushed_into_the_search(reader: Reader, embedder: Embedder) -> None:
    for mode in MODES:
        found = hits(reader, "mover", embedder, mode=mode, within=Filter(kinds=("readme",)))
        assert found
        assert {hit.kind for hit in found} == {"readme"}


def test_ranks_tell_where_a_hit_was_found(reader: Reader, embedder: Embedder) -> None:
    found = hits(reader, "How long does a rebuild take?", embedder, limit=50)
    assert {hit.lexical_rank for hit in found} >= {1, 2, 3}
    assert {hit.vector_rank for hit in found} >= {1, 2, 3}
    assert all(hit.lexical_rank or hit.vector_rank for hit in found)


def test_the_same_text_takes_one_place(muniment: Any, tmp_path: Path, own_place: Path, words_only: None) -> None:
    text = "# Restore\n\nCopy the folder back from the snapshot.\n"
    repo = make_repo(tmp_path / "repo", {"a.md": text, "b.md": text, "c.md": text})
    muniment("index", repo)
    with open_reader(own_place / "index") as reader:
        (hit,) = hits(reader, "restore snapshot", None)
    assert (hit.path, hit.also) == ("a.md", ("b.md:1", "c.md:1"))
