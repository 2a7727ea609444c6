"""Plans of payments: a list of dated amounts, each a payment of its own."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from muniment.records.fold import fold
from muniment.records.page import Day, Page, Sum
from muniment.records.picking import Doubt

V = TypeVar("V", Day, Sum)

_ROW = re.compile(
    r"instal?ment|\brate\b|\babschlag|\bacompte|mensualite|echeance|\btermijn|\brata\b|\bcuota\b|\bplazo\b"
    r"|payment received|received|zahlung erhalten|eingang"
)


def read_plan(page: Page, kind: str) -> list[tuple[Day, Sum]] | Doubt | None:
    """The dated payments that a document lists; None where it lists fewer than two, or lists them as an aside.

    A doubt where the plan is all there is, and one payment can't be read or they don't add up to the stated total.
    """
    rows = _rows(page, kind)
    if len(rows) < 2:
        return None
    doubt = _doubt(page, rows)
    # An invoice may list the payments made before it; its own total is then the better ground.
    return (doubt if kind == "instalment" else None) if doubt else rows


def _doubt(page: Page, rows: list[tuple[Day, Sum]]) -> Doubt | None:
    unread = [text for day, one in rows for text in (day.text, one.text) if not day.day or one.minor is None]
    if unread:
        return Doubt("a payment of the plan can't be read for sure", tuple(unread))
    lines = {one.line for _, one in rows}
    totals = [one for one in page.sums if one.role in {"total", "due"} and one.line not in lines]
    planned = sum(one.minor or 0 for _, one in rows)
    if any(one.minor != planned for one in totals) or len({one.currency for _, one in rows}) > 1:
        return Doubt("the payments don't add up to the total", tuple(one.text for one in totals))
    return None


def _rows(page: Page, kind: str) -> list[tuple[Day, Sum]]:
    """Lines with one date, one amount, and the word for a part payment (in a plan: with or without it)."""
    days, sums = _by_line(page.days), _by_line(page.sums)
    return [
        (days[number][0], sums[number][0])
        for number in sorted(days.keys() & sums.keys())
        if len(days[number]) == len(sums[number]) == 1
        and (kind == "instalment" or _ROW.search(fold(page.lines[number][:200])))
    ]


def _by_line(values: Sequence[V]) -> dict[int, list[V]]:
    lines: dict[int, list[V]] = defaultdict(list)
    for value in values:
        lines[value.line].append(value)
    return lines
