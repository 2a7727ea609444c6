"""Cursors of pages: which generation, after which row, within which filters. Opaque to clients, trusted in nothing."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from muniment.errors import UsageError
from muniment.http.problem import Problem, ProblemError

LEASE_S = 120.0
"""How long the generation of a page is held for the next one."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a list of documents or hits goes on."""

    generation: int
    start: int
    """Rows before the page: a generation never changes, so a place in it doesn't either."""
    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    asked: str = ""
    """Digest of the question that hits are of; it and its filters are sent again with the cursor."""


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


@contextlib.contextmanager
def still_kept(cursor: Cursor | None) -> Iterator[None]:
    """For the block, a generation that the cursor names and that nobody holds any more is 410."""
    try:
        yield
    except UsageError as error:
        if cursor is None or "is not kept" not in error.message:
            raise
        hint = "begin again without a cursor"
        raise ProblemError(Problem(410, "GenerationGone", error.message, hint)) from error
