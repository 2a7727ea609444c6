"""Search on the whole sample corpus: each shape of question, and how often its paragraph comes first."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from muniment.embedders import EmbedderChoice, make_embedder
from muniment.evaluate.questions import Asked
from muniment.search import Question, search
from muniment.store.reader import Reader
from tests.conftest import ROOT
from tests.muniment.sample_index import indexed_sample

# Embeds the whole sample.
pytestmark = pytest.mark.slow

FACTS = json.loads((ROOT / "tests" / "sample_facts.json").read_text())["questions"]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with indexed_sample(tmp_path_factory.mktemp("shapes")) as opened:
        yield opened


def asked(shape: str) -> list[Asked]:
    def gold(answer: dict[str, object]) -> dict[str, object]:
        return {"path": answer["path"], "start": answer["line_start"], "end": answer["line_end"]}

    return [
        Asked.model_validate({"query": fact["question"], "gold": [gold(answer) for answer in fact["answers"]]})
        for fact in FACTS
        if fact["shape"] == shape
    ]


@pytest.mark.parametrize(
    ("shape", "least"),
    [
        ("what_is", 1.0),
        ("why", 0.9),
        ("overlap", 1.0),
        ("variable", 0.9),
        ("flag", 0.8),
        ("fact", 0.75),
        ("how", 0.6),
        # Paraphrases that share no word with their answer: the bundled model finds a good half (docs/decisions/005).
        ("named_paragraph", 0.55),
    ],
)
def test_each_question_shape_finds_its_paragraph(reader: Reader, shape: str, least: float) -> None:
    embedder = make_embedder(EmbedderChoice())
    questions = asked(shape)
    first = [one for one in questions if one.answered_by(search(reader, Question(one.query), embedder).hits[0])]
    assert len(first) / len(questions) >= least
