"""Totals: a question of amount or count answered from many documents, every one of them accounted for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType

from muniment.records.extract import extract_records
from muniment.records.fold import words
from muniment.records.matching import counted_records, set_aside
from muniment.records.money import format_minor
from muniment.records.periods import resolve_period
from muniment.records.phrases import find_phrase
from muniment.records.sameness import Read, Same, find_same, hash_text, share_subjects
from muniment.records.wording import word_total
from schemas.records import DocumentOutcome, DocumentRef, Extraction, Money, Period, TotalAnswer, TotalQuestion
from schemas.stated import NOTHING_STATED, Stated

NOTHING_BESIDE: Mapping[DocumentRef, Stated] = MappingProxyType({})


def extract_all(
    documents: Iterable[tuple[str, str, str]], stated: Mapping[DocumentRef, Stated] = NOTHING_BESIDE
) -> list[tuple[Extraction, str]]:
    """What the rules read from documents given as (source, path, text), each with its text.

    `stated` is what is said of documents beside their text.
    """
    given = [(DocumentRef(source, path), text) for source, path, text in documents]
    return [(extract_records(text, ref, stated.get(ref, NOTHING_STATED)), text) for ref, text in given]


def total_extracted(question: TotalQuestion, extracted: Iterable[tuple[Extraction, str]], today: date) -> TotalAnswer:
    """The sums per currency and the count that the question asks for, from documents read by rules or by a model.

    What was paid counts on its day of payment where a document states one, else on the document's date. The order of
    the documents does not matter, and each of them has one outcome in the answer.
    """
    period = question_period(question, today)
    reads = [Read(known.document, hash_text(text), frozenset(words(text)), known) for known, text in extracted]
    # Sorted, so that the answer doesn't depend on the order; a document given twice is one document.
    reads.sort(key=lambda read: (read.document.source, read.document.path, read.text_hash), reverse=True)
    reads = list({read.document: read for read in reads}.values())[::-1]
    same = find_same([read for read in reads if read.extraction.kind in question.kinds], question.paid)
    alone = {read.document: _alone(read, question, period) for read in share_subjects(reads, same)}
    outcomes = tuple(_outcome(document, alone, same) for document in alone)
    used = [one for one in outcomes if one.outcome == "used"]
    count = sum(max(1, len(one.records)) for one in used)
    sums = _sums(used)
    return TotalAnswer(question, period, sums, count, outcomes, word_total(question, period, sums, count, outcomes))


def question_period(question: TotalQuestion, today: date) -> Period:
    """The days that the question's period means today; open on both sides where it names none."""
    phrase = find_phrase(question.phrase)
    return resolve_period(phrase, question.phrase, today) if phrase else Period(None, None, "")


def _alone(read: Read, question: TotalQuestion, period: Period) -> DocumentOutcome:
    """What would become of the document if it were the only one."""
    aside = set_aside(read, question, period)
    return aside or DocumentOutcome(read.document, "used", "", counted_records(read, question, period))


def _outcome(
    document: DocumentRef, alone: dict[DocumentRef, DocumentOutcome], same: dict[DocumentRef, Same]
) -> DocumentOutcome:
    twin = same.get(document)
    if alone[document].outcome != "used" or not twin:
        return alone[document]
    first = _outcome(twin.of, alone, same) if twin.of else None
    if first and first.outcome in {"other", "unread"}:
        return DocumentOutcome(document, first.outcome, f"{twin.reason}: {first.reason}")
    return DocumentOutcome(document, twin.outcome, twin.reason)


def _sums(used: list[DocumentOutcome]) -> tuple[Money, ...]:
    amounts: dict[str, list[int]] = defaultdict(list)
    holders: dict[str, set[DocumentRef]] = defaultdict(set)
    for one in used:
        for record in one.records:
            amounts[record.currency].append(record.amount_minor)
            holders[record.currency].add(one.document)
    return tuple(
        Money(code, sum(parts), len(holders[code]), format_minor(sum(parts), code))
        for code, parts in sorted(amounts.items())
    )
