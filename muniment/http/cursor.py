"""Cursors of pages: which generation, after which row, within which filters. Opaque to clients, trusted in nothing."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from muniment.errors import UsageError


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a list of documents goes on."""

    generation: int
    start: int
    """Rows before the page: a generation never changes, so a place in it doesn't either."""
    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


_CURSOR = TypeAdapter(Cursor)


def write_cursor(cursor: Cursor) -> str:
    """The cursor as text for an address."""
    return base64.urlsafe_b64encode(_CURSOR.dump_json(cursor)).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """The cursor in a text; raises UsageError for what we did not write."""
    try:
        cursor = _CURSOR.validate_json(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, ValidationError):
        raise UsageError("the cursor is none of ours", "begin again without one") from None
    if cursor.start < 0 or not 0 < cursor.generation < 2**53:
        raise UsageError("the cursor is none of ours", "begin again without one")
    return cursor
