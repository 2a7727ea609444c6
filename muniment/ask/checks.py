"""Our checks of a model's reply: nothing is shown as an answer that has not passed them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muniment.ask.guard import plain_text
from muniment.ask.prompt import place
from muniment.ask.schema import Said
from muniment.ask.values import missing_values
from muniment.ranking.words import words_of
from schemas.cited import Excerpt

CARRIED = 0.5
"""The share of a sentence's words that its sources and the question must hold."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that passed."""

    answer: str
    """Plain text."""
    citations: tuple[Excerpt, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a reply is no answer."""

    reason: str
    """A key of NO_ANSWER."""
    detail: str


def check_said(said: Said, excerpts: Sequence[Excerpt], question: str) -> Accepted | Problem:
    """The answer, if every citation is an excerpt that was sent and everything it says stands in those cited."""
    given: Mapping[int, Excerpt] = {excerpt.id: excerpt for excerpt in excerpts}
    unknown = [number for number in said.citations if number not in given]
    if unknown or not said.citations:
        return Problem("uncited", f"it cites excerpts that were not given: {unknown}" if unknown else "it cites none")
    cited = tuple(given[number] for number in dict.fromkeys(said.citations))
    answer = plain_text(said.answer or "")
    sources = "\n".join(f"{place(excerpt)}\n{excerpt.text}" for excerpt in cited)
    if missing := missing_values(answer, sources):
        return Problem("value_not_in_source", f"it says what no cited excerpt says: {', '.join(missing)}")
    if not answer or (stray := _stray_sentence(answer, sources, question)):
        return Problem(
            "uncited", f"no cited excerpt carries this: {stray}" if answer else "it holds nothing but markup"
        )
    return Accepted(answer, cited, said.confidence_pct / 100)


def _stray_sentence(answer: str, sources: str, question: str) -> str:
    """The first sentence whose words stand neither in the sources nor, for the smaller part, in the question."""
    carried, asked = set(words_of(sources)), set(words_of(question))
    for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", answer):
        words = words_of(sentence)
        known = [word for word in words if word in carried or word in asked]
        if words and (len(known) < CARRIED * len(words) or not any(word in carried for word in words)):
            return sentence
    return ""
