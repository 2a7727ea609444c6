"""What a bill says: who is paid how much, when and for what, and the totals made of many of them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

KINDS: dict[str, str] = {
    "invoice": "a bill",
    "receipt": "proof of a payment made",
    "credit_note": "money given back; its amount is negative",
    "instalment": "one payment of several that a plan lists",
    "reminder": "asks again for what another document billed",
    "policy": "an insurance policy: states a premium, bills nothing",
    "quote": "an offer or estimate",
    "order": "an order, its confirmation, or a delivery note",
    "statement": "an account statement: many payments that have documents of their own",
    "income": "a payslip or another proof of money received",
}
"""What a document of an archive can be, for totals."""

PAYMENTS = frozenset({"invoice", "receipt", "credit_note", "instalment"})
"""The kinds that move money: only these are summed."""


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """Which document a record was read from."""

    source: str
    path: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line of the document that a field of a record was read from."""

    field: str
    """amount, date, payee, number, ..."""
    line: int
    """From 1."""
    text: str
    """Verbatim, without surrounding blanks."""


@dataclass(frozen=True, slots=True)
class Record:
    """One amount that one document bills, confirms or gives back."""

    document: DocumentRef
    amount_minor: int
    """In the currency's smallest unit (cents; whole yen); negative in a credit note."""
    currency: str
    """ISO 4217."""
    date: datetime.date
    """The document's own date; for an instalment the day it is due or was paid."""
    payee: str
    """Empty where the document doesn't clearly say."""
    category: str
    """A key of `muniment.records.categories.CATEGORIES`; empty where unclear."""
    kind: str
    """A key of `KINDS`."""
    number: str = ""
    """The invoice or receipt number."""
    paid_on: datetime.date | None = None
    """The day of payment, where the document states one."""
    evidence: tuple[Evidence, ...] = ()
    read_by: str = ""
    """The model that chose between the values of the document; empty: the rules were sure."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read from one document: records, or the reason why there are none.

    The other fields hold what is known without an amount, so that a bill that can't be read is still known to be
    another payee's, or of another year.
    """

    document: DocumentRef
    records: tuple[Record, ...] = ()
    reason: str = ""
    """Why there are no records; empty where there are some."""
    candidates: tuple[str, ...] = ()
    """The amounts or dates between which the rules would have had to guess, as the document spells them."""
    kind: str = ""
    """Empty where nothing says that the document is a bill."""
    payee: str = ""
    categories: tuple[str, ...] = ()
    """Every category it could belong to; one where it is clear."""
    numbers: tuple[str, ...] = ()
    """Every invoice or receipt number it states, its own first."""
    date: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `start` to `end`, both included; None where that side is open."""

    start: datetime.date | None
    end: datetime.date | None
    phrase: str
    """As the question says it; empty where it names no period."""

    def holds(self, day: datetime.date) -> bool:
        """Whether the day lies inside."""
        return (self.start is None or self.start <= day) and (self.end is None or day <= self.end)


@dataclass(frozen=True, slots=True)
class TotalQuestion:
    """A question of amount or count, taken apart."""

    what: Literal["sum", "count", "list"]
    kinds: frozenset[str]
    """The kinds of document it asks about."""
    paid: bool
    """It asks what was paid, so the day of payment counts where it is known."""
    categories: tuple[str, ...]
    """Keys of `CATEGORIES`, any of which will do; empty for all."""
    payee: tuple[str, ...]
    """Folded words that the payee's name must hold; empty for all."""
    words: tuple[str, ...]
    """Folded words that the document must hold; empty for all."""
    phrase: str
    """The words that name the period; empty for all time."""


@dataclass(frozen=True, slots=True)
class Money:
    """The sum in one currency."""

    currency: str
    amount_minor: int
    documents: int
    text: str
    """For people: `EUR 1,234.56`."""


Outcome = Literal["used", "duplicate", "same payment", "unread", "not counted", "other"]


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """What became of one document."""

    document: DocumentRef
    outcome: Outcome
    """used; duplicate of a used one; same payment as a used one (the receipt of an invoice); unread: it matches, or
    may match, but its amount, date or payee can't be read for sure; not counted: it matches but moves no money
    (reminder, policy, ...); other: another period, payee or category, or no bill."""
    reason: str = ""
    records: tuple[Record, ...] = ()
    """Those that were counted; empty unless used."""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TotalAnswer:
    """The answer to a question of amount or count; every document given is in `documents` exactly once."""

    question: TotalQuestion
    period: Period
    sums: tuple[Money, ...]
    """One per currency, by its code; currencies are never added up."""
    count: int
    """Payments counted: documents used, and for an instalment plan its instalments inside the period."""
    documents: tuple[DocumentOutcome, ...]
    text: str
    """For people."""

    def those(self, *outcomes: Outcome) -> tuple[DocumentOutcome, ...]:
        """The documents with these outcomes, by source and path."""
        return tuple(one for one in self.documents if one.outcome in outcomes)
