"""What is stated of a bill beside its text: it fills what the text leaves open, and contradicts nothing in it."""

from datetime import date

from muniment.records.extract import NO_BILL, extract_records
from muniment.records.question import is_total_question
from muniment.records.totals import extract_all, total_extracted
from schemas.records import DocumentRef, Extraction
from schemas.stated import Stated

REF = DocumentRef("papers", "bill.txt")
BARE = "INVOICE\n\nTotal due: EUR 45.00\n"
DAY = date(2025, 11, 5)
TODAY = date(2026, 1, 15)


def read(text: str, **stated: object) -> Extraction:
    return extract_records(text, REF, Stated(**stated))  # type: ignore[arg-type]


def test_a_stated_date_stands_in_for_one_that_is_missing_or_unclear() -> None:
    assert read(BARE).reason == "no date"
    (record,) = read(BARE, doc_date=DAY).records
    assert record.date == DAY
    assert [one.field for one in record.evidence] == ["amount"]
    (record,) = read(BARE + "Date: 05/11/2025\n", doc_date=DAY).records
    assert record.date == DAY


def test_the_date_of_the_text_goes_before_the_stated_one() -> None:
    (record,) = read(BARE + "Invoice date: 7 November 2025\n", doc_date=DAY).records
    assert record.date == date(2025, 11, 7)


def test_the_correspondent_is_paid_where_the_text_names_nobody() -> None:
    assert read(BARE, doc_date=DAY, correspondent="Lumenia Power").records[0].payee == "Lumenia Power"
    named = read("Vapour Gas Ltd\n\n" + BARE, doc_date=DAY, correspondent="Somebody else")
    assert named.records[0].payee == "Vapour Gas Ltd"


def test_tags_say_what_a_bill_is_for() -> None:
    assert read(BARE, doc_date=DAY, tags=("groceries",)).categories == ("groceries",)
    assert read(BARE + "Electricity\nWater\n", doc_date=DAY, tags=("utilities", "Water")).categories == ("water",)
    assert read(BARE + "Electricity\n", doc_date=DAY, tags=("cabin",)).categories == ("electricity",)


def test_what_is_stated_makes_no_bill_of_a_letter() -> None:
    assert read("Dear neighbours\n", doc_date=DAY, tags=("water",)).reason == NO_BILL


def test_a_total_counts_by_what_is_stated() -> None:
    asked = is_total_question("how much did I pay Lumenia for groceries in November 2025")
    assert asked
    stated = {REF: Stated(doc_date=DAY, correspondent="Lumenia Power", tags=("groceries",))}
    papers = [("papers", "bill.txt", BARE), ("papers", "b.txt", BARE + "x")]
    answer = total_extracted(asked, extract_all(papers, stated), TODAY)
    assert [money.text for money in answer.sums] == ["EUR 45.00"]


def test_a_total_of_a_category_needs_no_word_for_money() -> None:
    for question in ("total utilities in November last year", "sum of water in 2025", "Gesamt Strom im November 2025"):
        assert is_total_question(question)
    for question in ("total utilities", "how much water in November", "total memory in November 2025", "total in 2025"):
        assert not is_total_question(question)
