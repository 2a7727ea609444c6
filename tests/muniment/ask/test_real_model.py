"""A real model that often lies: whatever it says, what is shown stands in what is cited."""

from collections.abc import Iterator

import pytest

from benchmarks.abstention import load_questions, sample_reader
from muniment.ask.answer import ask
from muniment.ask.gather import Limits
from muniment.ask.prompt import place
from muniment.ask.values import missing_values
from muniment.models import Message, ModelChoice, make_model
from schemas.cited import NO_ANSWER, Answer
from tests.muniment.models.real import missing, real_server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=f"needs {' and '.join(missing())}: see the Makefile"),
]
CHOICE = ModelChoice("openai", "smollm2", max_tokens=120)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with real_server() as address:
        yield address


@pytest.fixture(scope="module")
def answers(url: str) -> list[Answer]:
    model = make_model(ModelChoice(CHOICE.name, CHOICE.model, hosts=(url,), max_tokens=120))
    limits = Limits(max_docs=4, evidence=0.0, timeout_s=120, prompt_tokens=7_000)
    with sample_reader() as reader:
        return [ask(reader, one.question, None, model, limits) for one in load_questions()[::20]]


def test_a_schema_is_kept_by_a_real_server(url: str) -> None:
    model = make_model(ModelChoice(CHOICE.name, CHOICE.model, hosts=(url,), max_tokens=60))
    assert model
    schema = {"type": "object", "properties": {"colour": {"enum": ["red"]}}, "required": ["colour"]}
    reply = model.reply([Message("user", "Name a colour, as JSON.")], schema, 120)
    assert reply.text.replace(" ", "").replace("\n", "") == '{"colour":"red"}'
    assert [state.ok for state in model.health()] == [True]


def test_every_accepted_answer_stands_in_its_sources(answers: list[Answer]) -> None:
    for answer in answers:
        sources = "\n".join(f"{place(one)}\n{one.text}" for one in answer.citations)
        assert missing_values(answer.answer, sources) == []
        assert set(answer.citations) <= set(answer.excerpts)
        assert bool(answer.answer) == bool(answer.citations) == (answer.reason == "")


def test_every_refused_answer_has_its_reason(answers: list[Answer]) -> None:
    refused = [answer.reason for answer in answers if answer.reason]
    assert set(refused) <= set(NO_ANSWER) - {"provider_unavailable"}
    assert refused
