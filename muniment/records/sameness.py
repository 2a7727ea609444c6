"""Bills that are one bill: copies of a document, and the invoice and receipt of one payment."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from muniment.records.categories import within
from muniment.records.fold import words
from schemas.records import DocumentRef, Extraction, Outcome

_LONG = 5
"""Characters of a number that two companies hardly give out for the same amount on the same day."""


@dataclass(frozen=True, slots=True)
class Read:
    """A document with what was read from it."""

    document: DocumentRef
    text_hash: str
    words: frozenset[str]
    extraction: Extraction


@dataclass(frozen=True, slots=True)
class Same:
    """Why a document is not counted on its own."""

    outcome: Outcome
    reason: str
    of: DocumentRef | None = None
    """The document that stands for it."""


def hash_text(text: str) -> str:
    """A hash that is equal for texts that differ in blanks only."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def find_same(reads: Sequence[Read], paid: bool) -> dict[DocumentRef, Same]:
    """The documents that must not be counted beside another one of them.

    Copies have the same text, or the same kind, number, date and amount, and the same payee where the number is so
    short that others may have it too: a mail names whoever sent it on. Of an invoice and its receipts (same
    payee, one names the other's number) the receipts count where the question asks what was paid, else the invoice.
    What contradicts itself, such as one number with two amounts, is `unread`.
    """
    same: dict[DocumentRef, Same] = {}
    for copies in _groups((read.text_hash, read) for read in reads):
        _keep_first(copies, same)
    rest = [read for read in reads if read.document not in same]
    for copies in _groups(
        (_identity(read), read) for read in rest if read.extraction.numbers and read.extraction.records
    ):
        if len({(_currency(read), _amounts(read)) for read in copies}) == 1:
            _keep_first(copies, same)
        else:
            _contradict(
                copies, f"number {copies[0].extraction.numbers[0]} stands on documents with different amounts", same
            )
    rest = [read for read in rest if read.document not in same]
    for copies in _groups((_telling(read), read) for read in rest if _telling(read)):
        _keep_first(copies, same)
    _pair_receipts(
        [read for read in rest if read.document not in same and len(read.extraction.records) == 1], paid, same
    )
    return same


def _keep_first(copies: list[Read], same: dict[DocumentRef, Same]) -> None:
    for copy in copies[1:]:
        same[copy.document] = Same("duplicate", f"the same bill as {copies[0].document.path}", copies[0].document)


def _contradict(reads: list[Read], reason: str, same: dict[DocumentRef, Same]) -> None:
    for read in reads:
        same[read.document] = Same("unread", reason)


def _pair_receipts(reads: list[Read], paid: bool, same: dict[DocumentRef, Same]) -> None:
    receipts: dict[object, list[Read]] = defaultdict(list)
    for read in reads:
        if read.extraction.kind == "receipt":
            for number in read.extraction.numbers:
                receipts[_payee(read), _currency(read), number].append(read)
    for invoice in reads:
        if invoice.extraction.kind == "invoice" and invoice.extraction.numbers:
            found = receipts.get((_payee(invoice), _currency(invoice), invoice.extraction.numbers[0]), [])
            _settle([one for one in found if one.document not in same], invoice, paid, same)


def _settle(receipts: list[Read], invoice: Read, paid: bool, same: dict[DocumentRef, Same]) -> None:
    if not receipts:
        return
    if sum(_amounts(one)[0] for one in receipts) > _amounts(invoice)[0]:
        _contradict([invoice, *receipts], f"more was paid than invoice {invoice.extraction.numbers[0]} asks for", same)
    elif paid:
        same[invoice.document] = Same("same payment", f"paid by {receipts[0].document.path}", receipts[0].document)
    else:
        for one in receipts:
            same[one.document] = Same("same payment", f"it pays {invoice.document.path}", invoice.document)


def share_subjects(reads: Sequence[Read], same: dict[DocumentRef, Same]) -> list[Read]:
    """The documents again, those of one payment each with what the others say it is for: receipts often don't."""
    by_document = {read.document: read for read in reads}
    for document, twin in same.items():
        if twin.outcome == "same payment" and twin.of:
            one, other = by_document[document], by_document[twin.of]
            by_document[document], by_document[twin.of] = _told(one, other), _told(other, one)
    return list(by_document.values())


def _told(read: Read, by: Read) -> Read:
    """The first with the second's words, and with its category where that says more."""
    own, other = read.extraction.categories, by.extraction.categories
    says_more = not own or (len(own) == len(other) == 1 and within(other[0], own[0]))
    extraction = replace(read.extraction, categories=other if says_more else own)
    return replace(read, words=read.words | by.words, extraction=extraction)


def _groups(keyed: Iterable[tuple[object, Read]]) -> list[list[Read]]:
    groups: dict[object, list[Read]] = defaultdict(list)
    for key, read in keyed:
        groups[key].append(read)
    return [group for group in groups.values() if len(group) > 1]


def _identity(read: Read) -> tuple[object, ...]:
    known = read.extraction
    return _payee(read), known.kind, known.numbers[0], tuple(one.date for one in known.records)


def _telling(read: Read) -> tuple[object, ...]:
    """What two bills of different payees have in common only where they are one; nothing where that is too little."""
    known = read.extraction
    number = next(iter(known.numbers), "") if known.records else ""
    if len(number) < _LONG or not any(map(str.isdigit, number)):
        return ()
    return known.kind, number, tuple(one.date for one in known.records), _currency(read), _amounts(read)


def _payee(read: Read) -> tuple[str, ...]:
    return words(read.extraction.payee)


def _currency(read: Read) -> str:
    return read.extraction.records[0].currency


def _amounts(read: Read) -> tuple[int, ...]:
    return tuple(one.amount_minor for one in read.extraction.records)
