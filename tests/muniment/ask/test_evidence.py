"""What speaks for a passage: that each part of the question is met somewhere in it."""

from pathlib import Path

import pytest

from muniment.ask.evidence import WEIGHTS, WEIGHTS_LEXICAL, likelihood, scale_of, take_apart, weigh
from muniment.ask.excerpts import cut_pieces
from muniment.embedders import Embedder, EmbedderChoice, make_embedder
from muniment.search import Question, search
from muniment.store.reader import Reader, open_reader


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    return make_embedder(EmbedderChoice())


def met(question: str, home: Path, embedder: Embedder | None) -> float:
    """How well the best passage of the small repository meets a question."""
    with open_reader(home / "index") as reader:
        return max(values[0] for values in _values(reader, question, embedder))


def _values(reader: Reader, question: str, embedder: Embedder | None) -> list[tuple[float, ...]]:
    asked = take_apart(question, reader)
    hits = search(reader, Question(question, 3), None).hits
    pieces = [piece for rank, hit in enumerate(hits, 1) for piece in cut_pieces(hit, rank, asked.weights, 400)]
    return [one.values for one in weigh(asked, pieces, embedder)]


def test_a_part_that_nothing_meets_counts_against(built: Path, bundled: Embedder) -> None:
    whole = met("How often does the kestrel job copy the archive?", built, bundled)
    part = met("How often does the kestrel job feed the giraffes?", built, bundled)
    assert part < whole


def test_a_question_of_nothing_visible_is_met_by_nothing(built: Path, bundled: Embedder) -> None:
    with open_reader(built / "index") as reader:
        hits = search(reader, Question("kestrel", 3), None).hits
        asked = take_apart("\u200b", reader)
        pieces = [piece for hit in hits for piece in cut_pieces(hit, 1, {}, 400)]
        assert {one.values[0] for one in weigh(asked, pieces, bundled)} == {0.0}


def test_only_the_measured_model_has_weights_of_its_own(bundled: Embedder) -> None:
    assert scale_of(bundled) == WEIGHTS
    assert scale_of(None) == WEIGHTS_LEXICAL


def test_by_words_only_nothing_is_met(built: Path) -> None:
    assert met("How many copies does the kestrel job keep?", built, None) == 0.0


def test_what_is_unknown_to_the_index_speaks_against() -> None:
    for scale in (WEIGHTS, WEIGHTS_LEXICAL):
        assert likelihood((0.7, 0.6, 0.5, 2.0), scale) < likelihood((0.7, 0.6, 0.0, 2.0), scale)
