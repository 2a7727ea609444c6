"""Whether a record, whoever made it, says only what its document says."""

from dataclasses import dataclass
from datetime import date

from muniment.records.currencies import find_currencies, shared_signs
from muniment.records.page import MAX_CHARS, Page, read_page
from schemas.records import Record
from schemas.stated import NOTHING_STATED, Stated


@dataclass(frozen=True, slots=True)
class Grounds:
    """Everything that a document states, wherever it states it, or that is stated of it."""

    text: str
    amounts: frozenset[tuple[int, str]]
    """Without sign, with the currency."""
    currencies: frozenset[str]
    days: frozenset[date]


def verify_record(record: Record, text: str) -> tuple[str, ...]:
    """What in the record does not stand in the text: amount, currency, date, paid_on, payee; empty when all does.

    For the records of a language model as well as for ours: it asks only whether the value occurs, not where.
    """
    return find_faults(record, stated_on(read_page(text))) if len(text) <= MAX_CHARS else ("text",)


def stated_on(page: Page, beside: Stated = NOTHING_STATED) -> Grounds:
    """What the document states, and what is stated of it beside its text."""
    text = "\n".join(page.lines)
    signs = shared_signs(text)
    return Grounds(
        f"{text}\n{beside.correspondent}",
        frozenset((abs(one.minor), one.currency) for one in page.sums if one.minor is not None),
        frozenset(mention.code for line in page.masked for mention in find_currencies(line, signs)),
        frozenset(day for day in (*(one.day for one in page.days), beside.doc_date) if day),
    )


def find_faults(record: Record, stated: Grounds) -> tuple[str, ...]:
    """The fields of the record that the document doesn't state."""
    checks = {
        "amount": (abs(record.amount_minor), record.currency) in stated.amounts,
        "currency": record.currency in stated.currencies,
        "date": record.date in stated.days,
        "paid_on": record.paid_on is None or record.paid_on in stated.days,
        "payee": record.payee in stated.text,
    }
    return tuple(field for field, holds in checks.items() if not holds)
