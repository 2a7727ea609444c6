"""One document as the rules see it: its lines, and every amount and date with the words that label it."""

import re
from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from muniment.records.currencies import find_currencies, shared_signs
from muniment.records.dates import DateToken, date_order, find_dates
from muniment.records.labels import amount_role, date_role
from muniment.records.layout import Placed, place
from muniment.records.money import Amount, find_amounts, number_style
from muniment.records.noise import mask

_MAIL_HEADER = re.compile(r"(?:Subject|From|To|Cc|Date): ")
MAX_CHARS = 100_000
"""A longer text is no bill."""
_MAX_LINE = 1_000
"""A longer line is not read: no bill has one, and the work grows with the square of a line."""


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount with what it is on the bill."""

    role: str
    """A role of `labels.AMOUNT_ROLES`, or empty."""
    text: str
    """As the document spells it."""
    minor: int | None
    """None where it can't be read for sure."""
    currency: str
    """Empty where the document doesn't say."""
    why: str
    """Why it can't be read; empty where it can."""
    line: int
    """From 0."""
    marked: bool
    """A currency touches it."""
    bracketed: bool


@dataclass(frozen=True, slots=True)
class Day:
    """A date with what it is on the bill."""

    role: str
    """A role of `labels.DATE_ROLES`, `sent` for the date in the head of a mail, or empty."""
    text: str
    day: date | None
    """None where day and month could change places."""
    line: int
    """From 0."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document taken apart."""

    lines: list[str]
    masked: list[str]
    """The same lines without the numbers that are no money."""
    sums: list[Sum]
    days: list[Day]


def read_page(text: str) -> Page:
    """The document taken apart; the text is at most `MAX_CHARS` long."""
    lines = [line if len(line) <= _MAX_LINE else "" for line in text.split("\n")]
    text = "\n".join(lines)
    tokens = [find_dates(line) for line in lines]
    masked = [mask(line, found) for line, found in zip(lines, tokens, strict=True)]
    return Page(lines, masked, _sums(text, masked), _days(text, lines, masked, tokens))


def _mail_head(lines: list[str]) -> int:
    """How many lines the head of a mail takes, as it is extracted; 0 for a text that begins with none."""
    head = list(takewhile(_MAIL_HEADER.match, lines))
    return len(head) if any(line.startswith("From:") for line in head) else 0


def _sums(text: str, masked: list[str]) -> list[Sum]:
    signs, style = shared_signs(text), number_style(masked)
    named = {mention.code for line in masked for mention in find_currencies(line, signs)}
    only = next(iter(named)) if len(named) == 1 else ""
    amounts = [find_amounts(line, style, signs) for line in masked]
    return [_sum(placed, only, named) for placed in place(masked, amounts)]


def _sum(placed: Placed[Amount], only: str, named: set[str]) -> Sum:
    amount = placed.value
    touched = amount.currency or amount.text.strip("0123456789.,'’ \u00a0\u2009\u202f-–—:") != ""
    currency = amount.currency or ("" if touched else only)
    minor = amount.minor(currency) if currency else None
    why = amount.doubt
    if not why and not currency:
        several = ", ".join(sorted(named - {""}))
        why = f"its currency could be any of {several}" if several else "no currency"
    elif not why and minor is None:
        why = f"{currency} has no such decimals"
    role = amount_role(placed.labels)
    return Sum(role, amount.text, minor, currency, why, placed.line, bool(touched), amount.bracketed)


def _days(text: str, lines: list[str], masked: list[str], tokens: list[list[DateToken]]) -> list[Day]:
    order = date_order((token for found in tokens for token in found), text)
    head = _mail_head(lines)
    days = []
    for placed in place(masked, tokens):
        token, role = placed.value, "sent" if placed.line < head else date_role(placed.labels)
        if not token.compact or role in {"document", "paid", "sent"}:
            days.append(Day(role, lines[placed.line][token.start : token.end], token.read(order), placed.line))
    return days
