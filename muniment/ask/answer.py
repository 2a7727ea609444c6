"""From a question to an answer with sources: gather, let a model word it if there is one, check, or say why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from muniment.ask.checks import Accepted, Problem, check_said
from muniment.ask.extractive import quote
from muniment.ask.gather import Found, Limits, gather
from muniment.ask.prompt import PROMPT, first_messages, fitting, second_messages
from muniment.ask.schema import read_reply, reply_schema
from muniment.errors import ProviderError, UsageError
from muniment.store.reader import Reader
from schemas.cited import Answer, Excerpt

if TYPE_CHECKING:
    from muniment.embedders import Embedder
    from muniment.models import Model, Reply

TRIES = 2
"""A reply that does not pass our checks may be mended once."""


def ask(reader: Reader, question: str, embedder: Embedder | None, model: Model | None, limits: Limits) -> Answer:
    """The answer, or the reason why there is none; without a model, sentences of the documents.

    Raises UsageError for a question without words; what goes wrong with the model is a reason, not an error, and
    without the embedder the question is searched by its words alone.
    """
    if not question.strip():
        raise UsageError("there is no question", "put it in quotes: muniment ask 'what is the mover?'")
    found = gather(reader, question, embedder, limits)
    if not found.weighed or found.evidence < limits.evidence:
        # In words that say nothing of the documents.
        why = "some of its words stand nowhere in the index" if found.asked.unknown else "no passage is close enough"
        return _unanswered(found, Problem("no_matching_content", why))
    return _extract(found, limits) if model is None else _word(found, model, limits)


def _extract(found: Found, limits: Limits) -> Answer:
    quoted = quote(found.weighed, limits.evidence)
    # What is quoted is numbered first.
    first = [one for one, _ in quoted]
    found = replace(found, weighed=(*first, *(one for one in found.weighed if one not in first)))
    cited = found.excerpts[: len(quoted)]
    words = " ".join(f"{text} [{excerpt.id}]" for (_, text), excerpt in zip(quoted, cited, strict=True))
    return _answered(found, Accepted(words, cited, found.evidence))


def _word(found: Found, model: Model, limits: Limits) -> Answer:
    excerpts = fitting(found.results.query, found.excerpts, limits.prompt_tokens)
    outcome, host = _ask_model(found.results.query, excerpts, model, limits.timeout_s)
    answer = _unanswered(found, outcome) if isinstance(outcome, Problem) else _answered(found, outcome)
    return replace(answer, excerpts=excerpts, model=model.label, host=host, prompt=PROMPT)


def _ask_model(
    question: str, excerpts: Sequence[Excerpt], model: Model, timeout_s: float
) -> tuple[Accepted | Problem, str]:
    """What the model says once it passes, or what is wrong with its last try; and the address that served."""
    end = monotonic() + timeout_s
    asked = messages = first_messages(question, excerpts)
    schema = reply_schema([excerpt.id for excerpt in excerpts])
    outcome: Accepted | Problem = Problem("provider_unavailable", "it had no time left to answer")
    host = ""
    for _ in range(TRIES):
        try:
            reply = model.reply(messages, schema, end - monotonic())
        except ProviderError as error:
            # A bad first reply says more than a second that never came.
            return (outcome if host else Problem("provider_unavailable", error.message)), host
        host = reply.host
        outcome = _judge(reply, excerpts, question)
        if isinstance(outcome, Accepted) or outcome.reason == "no_matching_content":
            break
        messages = second_messages(asked, reply.text, outcome.detail)
    return outcome, host


def _judge(reply: Reply, excerpts: Sequence[Excerpt], question: str) -> Accepted | Problem:
    if reply.cut:
        return Problem("invalid_reply", "it ran into the limit of tokens")
    said = read_reply(reply.text)
    if isinstance(said, str):
        return Problem("invalid_reply", said)
    if said.is_nothing:
        return Problem("no_matching_content", "the model finds no answer in what was found")
    return check_said(said, excerpts, question)


def _answered(found: Found, accepted: Accepted) -> Answer:
    answer = _unanswered(found, Problem("", ""))
    return replace(answer, answer=accepted.answer, confidence=accepted.confidence, citations=accepted.citations)


def _unanswered(found: Found, problem: Problem) -> Answer:
    return Answer(
        question=found.results.query,
        answer="",
        confidence=0.0,
        reason=problem.reason,
        detail=problem.detail,
        citations=(),
        excerpts=found.excerpts,
        model="none",
        host="",
        prompt="",
        generation=found.results.generation,
        pending=found.results.pending,
        words_only=found.results.words_only,
    )
