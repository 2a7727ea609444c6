"""From the text of one document to the payments it records, by rules that would rather say nothing than guess."""

from dataclasses import replace
from typing import NamedTuple

from muniment.records.categories import find_categories, tagged
from muniment.records.kinds import document_kind
from muniment.records.noise import document_number
from muniment.records.page import MAX_CHARS, Day, Page, Sum, read_page
from muniment.records.payee import find_payee
from muniment.records.picking import Doubt, paid_day, pick_amount, pick_date
from muniment.records.plans import read_plan
from muniment.records.verify import find_faults, stated_on
from schemas.records import DocumentRef, Evidence, Extraction, Record
from schemas.stated import NOTHING_STATED, Stated

NO_BILL = "no bill: nothing names an invoice, a receipt or an amount due"


class _Payment(NamedTuple):
    kind: str
    day: Day
    amount: Sum
    paid: Day | None


def extract_records(text: str, document: DocumentRef, stated: Stated = NOTHING_STATED) -> Extraction:
    """The records of one document, or the reason why it has none; never raises, whatever the text is.

    Where the text leaves date or payee open, what is `stated` of the document tells; its tags say what it is for.
    """
    if len(text) > MAX_CHARS:
        return Extraction(document, reason=f"no bill: longer than {MAX_CHARS:,} characters")
    page = read_page(text)
    known, evidence = _known(page, document, stated)
    if not known.kind:
        return replace(known, reason=NO_BILL)
    payments = _payments(page, known.kind, stated)
    if isinstance(payments, Doubt):
        return replace(known, reason=payments.reason, candidates=payments.candidates)
    records = tuple(_record(page, known, payment, evidence) for payment in payments)
    grounds = stated_on(page, stated)
    faults = sorted({fault for record in records for fault in find_faults(record, grounds)})
    if faults:
        return replace(known, reason=f"not found in the text again: {', '.join(faults)}")
    return replace(known, records=records)


def _known(page: Page, document: DocumentRef, stated: Stated) -> tuple[Extraction, tuple[Evidence, ...]]:
    """What can be said of the document before its amount is read, and the lines that say it."""
    payee, payee_line = find_payee(page.lines, page.masked)
    payee = payee or stated.correspondent
    categories, category_line = find_categories(page.lines, payee)
    if own := tagged(stated.tags):
        categories, category_line = own, -1
    kind = document_kind(page.lines)
    if not kind and any(one.role == "due" for one in page.sums):
        kind = "invoice"
    numbers = tuple(dict.fromkeys(filter(None, map(document_number, page.lines))))
    day = document_day(page, stated)
    date = None if isinstance(day, Doubt) else day.day
    evidence = _evidence(page, payee=payee_line, category=category_line)
    return Extraction(document, (), "", (), kind, payee, categories, numbers, date), evidence


def document_day(page: Page, stated: Stated) -> Day | Doubt:
    """The document's own date; where its text leaves it open, the one that is stated beside it."""
    day = pick_date(page)
    return Day("document", "", stated.doc_date, -1) if isinstance(day, Doubt) and stated.doc_date else day


def _payments(page: Page, kind: str, stated: Stated) -> list[_Payment] | Doubt:
    plan = read_plan(page, kind)
    if isinstance(plan, Doubt):
        return plan
    if plan:
        return [_Payment("instalment", day, one, None) for day, one in plan]
    amount = pick_amount(page, kind)
    if isinstance(amount, Doubt):
        return amount
    day = document_day(page, stated)
    if isinstance(day, Doubt):
        return day
    return [_Payment(kind, day, amount, paid_day(page))]


def make_record(page: Page, known: Extraction, amount: Sum, day: Day) -> Record:
    """The record of one payment, whoever chose its amount and day; both can be read."""
    return _record(page, known, _Payment(known.kind, day, amount, paid_day(page)), ())


def _record(page: Page, known: Extraction, payment: _Payment, evidence: tuple[Evidence, ...]) -> Record:
    kind, day, amount, paid = payment
    assert amount.minor is not None
    assert day.day is not None
    return Record(
        known.document,
        amount_minor=-abs(amount.minor) if kind == "credit_note" else amount.minor,
        currency=amount.currency,
        date=day.day,
        payee=known.payee,
        category=known.categories[0] if len(known.categories) == 1 else "",
        kind=kind,
        number=next(iter(known.numbers), ""),
        paid_on=paid.day if paid else None,
        evidence=(*_evidence(page, amount=amount.line, date=day.line, paid_on=paid.line if paid else -1), *evidence),
    )


def _evidence(page: Page, **places: int) -> tuple[Evidence, ...]:
    """The lines, from 0, on which fields were found; -1 where one was not."""
    return tuple(Evidence(name, at + 1, page.lines[at].strip()) for name, at in places.items() if at >= 0)
