"""How a shape makes its claims: the value it saw, bound to the options that it is about."""

from __future__ import annotations

from collections.abc import Iterator

from schemas.claims import Claim
from tasks.drift.claims.binding import Bound
from tasks.drift.claims.page import Line, Page
from tasks.drift.claims.spelled import Spelled


def claims_at(page: Page, line: Line, shape: str, value: Spelled, bound: Bound) -> Iterator[Claim]:
    """One claim for each of the options."""
    for option in bound.options:
        yield Claim(
            option,
            value.text,
            page.file.path,
            line.number,
            shape,
            bound.binding,
            line.column + value.start,
            value.width,
            bound.above,
        )
