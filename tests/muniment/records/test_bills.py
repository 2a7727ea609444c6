"""The invented bills: what is read from each, kept as text that shows the difference."""

from pathlib import Path

import pytest

from muniment.records.money import format_minor
from muniment.records.verify import verify_record
from tests.muniment.records.reading import ANSWERS, BILLS, RECORDS, answers_written_out, read, records_written_out


def test_every_bill_reads_as_its_golden_record() -> None:
    assert records_written_out() == RECORDS.read_text()


def test_every_question_is_answered_as_its_golden_answer() -> None:
    assert answers_written_out() == ANSWERS.read_text()


@pytest.mark.parametrize("bill", BILLS, ids=lambda bill: bill.name)
def test_every_field_stands_in_the_document(bill: Path) -> None:
    text = bill.read_text()
    for record in read(text).records:
        assert verify_record(record, text) == ()
        shown = next(one for one in record.evidence if one.field == "amount")
        digits = format_minor(abs(record.amount_minor), record.currency)
        assert [char for char in digits if char.isdigit()] == [char for char in shown.text if char.isdigit()][
            -sum(map(str.isdigit, digits)) :
        ]
        for one in record.evidence:
            assert text.split("\n")[one.line - 1].strip() == one.text


def test_the_bills_speak_several_languages_and_currencies() -> None:
    records = [record for bill in BILLS for record in read(bill.read_text()).records]
    assert {record.currency for record in records} == {"EUR", "USD", "GBP", "CHF", "JPY", "SEK"}
    assert {bill.name[:3] for bill in BILLS} >= {"en-", "de-", "fr-", "es-", "nl-", "it-", "ja-", "sv-", "ch-"}
    assert len(BILLS) >= 24
