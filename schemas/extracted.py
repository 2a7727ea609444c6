"""The text of a document that is no plain text, or why there is none."""

from dataclasses import dataclass

from schemas.stated import NOTHING_STATED, Stated


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document's text, whose lines are what its chunks cite."""

    text: str
    encoding: str
    """How the bytes became text: utf-8, cp1252, ...; for formats of their own their name."""
    stated: Stated = NOTHING_STATED
    """What the format itself says: the subject, sender and date of a mail."""


@dataclass(frozen=True, slots=True)
class NoText:
    """Why a document has no text: `reason` is a key of `SKIP_REASONS`."""

    reason: str
    detail: str = ""
