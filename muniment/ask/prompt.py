"""What a model is sent: rules from a versioned file, and question and excerpts as one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files

from muniment.ask.guard import disarmed
from muniment.embedders.text import encodable, estimate_tokens
from muniment.models import Message
from schemas.cited import Excerpt

PROMPT = "answer-1"
"""Name of the file; a change of wording is a new file with a new number."""
MAX_QUESTION = 2_000
"""Characters of a question that are sent."""
_ORDINARY = re.compile(r"[\w./+@ -]{1,200}")


def first_messages(question: str, excerpts: Sequence[Excerpt]) -> list[Message]:
    """The conversation that asks a question of these excerpts."""
    # Inside JSON strings no text can end its excerpt, whatever it imitates.
    given = {
        "question": encodable(question[:MAX_QUESTION]),
        "excerpts": [{"id": one.id, "where": place(one), "text": encodable(one.text)} for one in excerpts],
    }
    rules = files("muniment.ask").joinpath("prompts", f"{PROMPT}.txt").read_text(encoding="utf-8")
    return [Message("system", rules), Message("user", json.dumps(given, ensure_ascii=False))]


def second_messages(asked: Sequence[Message], said: str, problem: str) -> list[Message]:
    """The conversation that asks for a better reply."""
    again = f"That reply can't be used: {problem}. Reply once more, with one JSON object of the form described."
    return [*asked, Message("assistant", encodable(said)), Message("user", again)]


def fitting(question: str, excerpts: Sequence[Excerpt], tokens: int) -> tuple[Excerpt, ...]:
    """The excerpts, without the last ones where all would be over so many tokens; never none of them."""
    kept = tuple(excerpts)
    while len(kept) > 1 and _tokens(first_messages(question, kept)) > tokens:
        kept = kept[:-1]
    return kept


def place(excerpt: Excerpt) -> str:
    """Path and headings, where they are what they seem."""
    names = (excerpt.path, excerpt.section, excerpt.title)
    kept = dict.fromkeys(name for name in names if _ORDINARY.fullmatch(name) and disarmed(name) == name)
    return " > ".join(kept)


def _tokens(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message.content) for message in messages)
