"""Whatever the text is: no exception, no invented record, and no work that grows faster than the text."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.records.extract import extract_records
from muniment.records.fold import fold
from muniment.records.page import MAX_CHARS
from muniment.records.verify import verify_record
from schemas.records import DocumentRef
from tests.muniment.records.reading import BILLS, read

PARTS = (
    *("Invoice", "Total", "due", "paid", "previous balance", "Electricity", "Ltd", "No.", "NW-1", "Rate 1"),
    *("EUR", "€", "$", "Fr.", "kr", "1.234,56", "1,234.56", "1 234,56", "45", "(45.00)", "-45.00"),
    *("03/04/2024", "3 November 2024", "20241103", "VAT 19 %", "DE89 3704 0044 0532 0130 00", "1.2.3"),
    *("|", "\n", "\n\n", "  ", "\t", "\u202f", "·", "²", "٣", "İ", "ﬁ", "\x00", "\x0c"),
)
LONG_LINES = (
    *(
        "1",
        "1 ",
        "1.234,",
        "1.",
        "1,1,",
        "EUR ",
        "EUR 1 ",
        "$",
        "Total 1.00 EUR ",
        "total incl ",
        "invoice no ",
        "rate 1 ",
    ),
    *("DE89 3704 ", "tel 0", "+49 ", "3 may ", "01.01.2024 ", "-", "(", "| ", "a@", "aa", "no ", "http://", "ﬁ"),
)


@given(st.text(max_size=400))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert read(text).records or read(text).reason


@given(st.lists(st.sampled_from(PARTS), max_size=60).map(" ".join))
def test_every_record_of_any_mix_stands_in_its_text(text: str) -> None:
    known = read(text)
    assert bool(known.records) != bool(known.reason)
    for record in known.records:
        assert verify_record(record, text) == ()


@given(st.sampled_from(BILLS), st.integers(0, 700), st.sampled_from(PARTS))
def test_a_damaged_bill_is_read_or_refused(bill: Path, place: int, part: str) -> None:
    text = bill.read_text()
    damaged = text[:place] + part + text[place:]
    for record in read(damaged).records:
        assert verify_record(record, damaged) == ()


@given(st.text(max_size=100))
def test_folding_keeps_every_character_at_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", LONG_LINES)
def test_the_work_does_not_grow_faster_than_the_text(unit: str) -> None:
    """A quadratic step would take hours on these; lines are as long as a document may have."""
    line = (unit * 999)[:999]
    text = "Invoice\n" + "\n".join([line] * 8)
    assert read(text).kind == "invoice"


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit", ["\n", "Invoice\n", "Total 1.00 EUR\n", "Rate 1 01.01.2024 5.00 EUR\n", "Net  VAT\n1.00  2.00\n"]
)
def test_many_lines_are_read_in_one_pass(unit: str) -> None:
    text = ("Invoice\n" + unit * MAX_CHARS)[: MAX_CHARS // 4]
    assert read(text).kind == "invoice"


def test_a_text_longer_than_any_bill_is_none() -> None:
    known = extract_records("Invoice\n" * MAX_CHARS, DocumentRef("bills", "long.txt"))
    assert (known.records, known.reason) == ((), "no bill: longer than 100,000 characters")


def test_a_record_that_was_made_up_is_found_out() -> None:
    text = "Nordwind Ltd\nInvoice\nDate: 3 November 2024\nTotal 45.00 EUR\n"
    [record] = read(text).records
    made_up = {
        "amount": replace(record, amount_minor=4501),
        "currency": replace(record, currency="USD"),
        "date": replace(record, date=date(2024, 11, 4)),
        "paid_on": replace(record, paid_on=date(2024, 11, 4)),
        "payee": replace(record, payee="Suedwind Ltd"),
    }
    assert verify_record(record, text) == ()
    for field, wrong in made_up.items():
        assert field in verify_record(wrong, text)
    assert verify_record(record, "x" * (MAX_CHARS + 1)) == ("text",)
