"""The form of a model's reply: as a JSON schema for the model, and as a strict check of what it said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

NOTHING = frozenset({"", "null", "none", "n/a", "unknown", "nil"})
"""Answers that are none, as models put them."""
_FENCE = re.compile(r"\s*```[a-z]*[^\S\n]*\n(.*?)\n[^\S\n]*```\s*", re.S)


class Said(BaseModel):
    """A reply that keeps to the form; nothing in it has been checked against the excerpts."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    answer: str | None
    citations: list[int]
    confidence_pct: int = Field(ge=0, le=100)

    @property
    def is_nothing(self) -> bool:
        """Whether the model says that the excerpts do not answer."""
        return (self.answer or "").strip().strip(".\"'").lower() in NOTHING


def reply_schema(ids: Sequence[int]) -> dict[str, Any]:
    """The schema of a reply that can cite nothing but these excerpts."""
    return {
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "citations": {"type": "array", "items": {"type": "integer", "enum": list(ids)}, "minItems": 1},
            # An integer, since grammars made from schemas ignore the bounds of a number.
            "confidence_pct": {"type": "integer", "minimum": 0, "maximum": 100},
        },
        "required": ["answer", "citations", "confidence_pct"],
        "additionalProperties": False,
    }


def read_reply(text: str) -> Said | str:
    """The reply, or what is wrong with its form, in words that repeat nothing of it."""
    if not text.strip():
        return "it is empty"
    try:
        return Said.model_validate_json(unfenced(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            return "it is not one JSON object"
        known = str(first["loc"][0]) if first["loc"] and first["loc"][0] in Said.model_fields else ""
        return f"'{known}' is missing or of the wrong type" if known else "it is not of the form described"


def unfenced(text: str) -> str:
    """The reply without the code fence that some models put around it."""
    fenced = _FENCE.fullmatch(text)
    return fenced[1] if fenced else text
