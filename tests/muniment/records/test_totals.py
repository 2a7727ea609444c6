"""Totals over many documents: exact sums, every document accounted for, nothing counted twice."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.records.money import format_minor
from muniment.records.question import is_total_question
from muniment.records.totals import total_extracted
from schemas.records import Extraction, TotalAnswer
from tests.muniment.records.reading import TODAY, all_bills, answer, read

EXTRACTED = [(read(text, path), text) for _, path, text in all_bills()]
Documents = list[tuple[str, str, str]]


def bill(
    amount: str,
    day: str = "2024-11-03",
    payee: str = "Nordwind Energy Ltd",
    number: str = "",
    kind: str = "Invoice",
    more: str = "",
) -> str:
    named = f"Invoice number: {number}\n" if number else ""
    return f"{payee}\n{kind}\n{named}Date: {day}\nElectricity\nTotal {amount}\n{more}\n"


def documents(*texts: str) -> Documents:
    return [("bills", f"{number}.txt", text) for number, text in enumerate(texts)]


def sums(found: TotalAnswer) -> dict[str, int]:
    return {money.currency: money.amount_minor for money in found.sums}


def outcomes(found: TotalAnswer) -> dict[str, str]:
    return {one.document.path: one.outcome for one in found.documents}


@pytest.mark.parametrize(
    ("question", "expected", "used"),
    [
        ("total utilities paid in November last year", {"EUR": 359536, "GBP": 3250}, 7),
        ("total utilities paid in December last year", {"GBP": 9885}, 1),
        ("how much was the electricity bill in November 2024", {"EUR": 131770, "GBP": 9885}, 3),
        ("how much did we spend on insurance between March and May 2024", {"EUR": 38990, "GBP": 141200}, 2),
        ("sum of all receipts in Q4 2024", {"EUR": 4750, "GBP": 11035}, 3),
        ("what have I paid Acme Cloud since 2024", {"USD": 117500}, 2),
        ("how much did I pay for the garden fence in 2024", {"EUR": 48000}, 1),
        ("how much did I pay for software in November 2024", {"JPY": 12800, "USD": 117500}, 3),
        ("what did I pay for telecom in 2024", {"CHF": 124315, "SEK": 109900}, 2),
        ("what did I pay in 2023", {}, 0),
    ],
)
def test_sums_are_exact(question: str, expected: dict[str, int], used: int) -> None:
    found = answer(question)
    assert sums(found) == expected
    assert len(found.those("used")) == used


def test_a_question_without_currency_adds_nothing_across_currencies() -> None:
    found = answer("how much did I pay in 2024", documents(bill("10.00 EUR"), bill("20.00 GBP", number="B-2")))
    assert [(money.text, money.documents) for money in found.sums] == [("EUR 10.00", 1), ("GBP 20.00", 1)]


def test_other_periods_and_other_payees_are_left_out() -> None:
    given_ = documents(
        bill("10.00 EUR"),
        bill("20.00 EUR", day="2024-10-31"),
        bill("30.00 EUR", day="2024-12-01"),
        bill("40.00 EUR", payee="Suedwind Energy Ltd"),
        bill("50.00 EUR", day="2024-11-30"),
    )
    found = answer("what did I pay Nordwind in November 2024", given_)
    assert sums(found) == {"EUR": 6000}
    assert outcomes(found) == {"0.txt": "used", "1.txt": "other", "2.txt": "other", "3.txt": "other", "4.txt": "used"}
    assert "from 2 of 2 matching documents, 2024-11-01 to 2024-11-30" in found.text


def test_what_cannot_be_read_is_listed_with_its_candidates() -> None:
    found = answer(
        "what did I pay Nordwind in November 2024",
        documents(bill("10.00 EUR"), bill("20.00 EUR", more="Total 30.00 EUR"), bill("30.00 EUR", day="03/04/2024")),
    )
    assert outcomes(found) == {"0.txt": "used", "1.txt": "unread", "2.txt": "unread"}
    assert "from 1 of 3 matching documents" in found.text
    assert "not read: 1.txt: several totals (20.00 EUR, 30.00 EUR)" in found.text
    assert "not read: 2.txt: day and month could change places (03/04/2024)" in found.text


def test_a_bill_that_cannot_be_read_is_left_out_when_it_cannot_match() -> None:
    unread = bill("20.00 EUR", day="2025-03-03", more="Total 30.00 EUR")
    found = answer(
        "what did I pay Nordwind in November 2024", documents(unread, unread.replace("Nordwind", "Suedwind"))
    )
    assert outcomes(found) == {"0.txt": "other", "1.txt": "other"}


def test_invoices_are_counted_even_when_their_amount_cannot_be_read() -> None:
    found = answer(
        "how many invoices from Nordwind in 2024", documents(bill("10.00 EUR"), bill("20.00", day="2024-11-04"))
    )
    assert found.count == 2
    assert found.text.startswith("2 found, together EUR 10.00 without 1 whose amount could not be read\nfrom 2 of 2")


def test_copies_of_a_bill_count_once_and_it_says_so() -> None:
    original = bill("10.00 EUR", number="N-1")
    given_ = documents(
        original, original.replace("\n", "\n\n  "), original + "Thank you\n", bill("10.00 EUR", number="N-2")
    )
    found = answer("what did I pay Nordwind in 2024", given_)
    assert (sums(found), found.count) == ({"EUR": 2000}, 2)
    assert outcomes(found) == {"0.txt": "used", "1.txt": "duplicate", "2.txt": "duplicate", "3.txt": "used"}
    assert "counted once: 1.txt: the same bill as 0.txt" in found.text


@pytest.mark.parametrize("sender", ["Nordwind Energy", "The Household"])
def test_a_bill_that_came_by_mail_as_well_counts_once(sender: str) -> None:
    original = bill("10.00 EUR", number="N-4711")
    head = (
        f"Subject: Your invoice N-4711\nFrom: {sender} <post@mail.example>\nDate: Tue, 05 Nov 2024 10:00:00 +0000\n\n"
    )
    found = answer("what did I pay for electricity in 2024", documents(original, head + original))
    assert (sums(found), found.count) == ({"EUR": 1000}, 1)
    assert outcomes(found) == {"0.txt": "used", "1.txt": "duplicate"}


def test_one_short_number_of_two_payees_is_two_bills() -> None:
    other = bill("10.00 EUR", number="17").replace("Nordwind", "Südwind")
    found = answer("what did I pay for electricity in 2024", documents(bill("10.00 EUR", number="17"), other))
    assert sums(found) == {"EUR": 2000}


def test_one_number_with_two_amounts_is_not_counted() -> None:
    found = answer(
        "what did I pay Nordwind in 2024", documents(bill("10.00 EUR", number="N-1"), bill("11.00 EUR", number="N-1"))
    )
    assert (sums(found), set(outcomes(found).values())) == ({}, {"unread"})
    assert "number N-1 stands on documents with different amounts" in found.text


def test_equal_bills_without_numbers_are_two_purchases() -> None:
    given_ = documents(bill("3.00 EUR", kind="Receipt"), bill("3.00 EUR", kind="Receipt", more="Coffee"))
    assert sums(answer("what did I pay Nordwind in 2024", given_)) == {"EUR": 600}


def test_an_invoice_and_its_receipt_are_one_payment() -> None:
    given_ = documents(
        bill("10.00 EUR", number="N-1"),
        bill("10.00 EUR", number="N-1", kind="Receipt", day="2024-12-02").replace("Electricity\n", ""),
    )
    paid = answer("what did I pay for electricity in December 2024", given_)
    assert (sums(paid), outcomes(paid)) == ({"EUR": 1000}, {"0.txt": "other", "1.txt": "used"})
    assert sums(answer("what did I pay for electricity in November 2024", given_)) == {}
    both = answer("what did I pay for electricity in 2024", given_)
    assert (sums(both), outcomes(both)) == ({"EUR": 1000}, {"0.txt": "same payment", "1.txt": "used"})
    billed = answer("total costs for electricity in November 2024", given_)
    assert (sums(billed), outcomes(billed)["0.txt"]) == ({"EUR": 1000}, "used")


def test_part_payments_count_instead_of_their_invoice() -> None:
    invoice = bill("10.00 EUR", number="N-1")
    parts = [bill(f"{part}.00 EUR", number="N-1", kind="Receipt", day=f"2024-12-0{part}") for part in (3, 4)]
    assert sums(answer("what did I pay Nordwind in 2024", documents(invoice, *parts))) == {"EUR": 700}
    too_much = bill("9.00 EUR", number="N-1", kind="Receipt", day="2024-12-09")
    assert sums(answer("what did I pay Nordwind in 2024", documents(invoice, *parts, too_much))) == {}


def test_a_stated_day_of_payment_decides_what_was_paid_when() -> None:
    given_ = documents(bill("10.00 EUR", more="Paid on 2 December 2024"))
    assert sums(answer("what did I pay Nordwind in December 2024", given_)) == {"EUR": 1000}
    assert sums(answer("total Nordwind invoices in November 2024", given_)) == {"EUR": 1000}


@pytest.mark.parametrize("kind", ["Payment reminder", "Quotation", "Insurance policy", "Payslip", "Order confirmation"])
def test_what_moves_no_money_is_named_but_not_counted(kind: str) -> None:
    found = answer("what did I pay Nordwind in 2024", documents(bill("10.00 EUR"), bill("20.00 EUR", kind=kind)))
    assert (sums(found), outcomes(found)["1.txt"]) == ({"EUR": 1000}, "not counted")
    assert "not counted: 1.txt: " in found.text


def test_a_credit_note_is_subtracted() -> None:
    found = answer(
        "what did I pay Nordwind in 2024", documents(bill("10.00 EUR"), bill("4.00 EUR", kind="Credit note"))
    )
    assert sums(found) == {"EUR": 600}


def test_only_the_instalments_inside_the_period_count() -> None:
    found = answer("how much did I pay for the fence from October to November 2024")
    assert (sums(found), found.count) == ({"EUR": 32000}, 2)


def test_an_unclear_payee_is_listed_not_guessed() -> None:
    text = "INVOICE\nDate: 2024-11-03\nDelivered for Nordwind by somebody\nTotal 10.00 EUR\n"
    found = answer("what did I pay Nordwind in 2024", documents(text))
    assert outcomes(found) == {"0.txt": "unread"}


def test_a_category_that_may_fit_is_listed_not_guessed() -> None:
    text = bill("10.00 EUR", payee="Stadtwerke GmbH").replace("Electricity\n", "")
    assert outcomes(answer("what did I pay for gas in 2024", documents(text))) == {"0.txt": "unread"}
    assert sums(answer("what did I pay for utilities in 2024", documents(text))) == {"EUR": 1000}


def test_the_period_is_resolved_against_the_day_given() -> None:
    assert answer("what did I pay last November", today=date(2024, 12, 1)).period.start == date(2024, 11, 1)
    assert answer("what did I pay last November", today=date(2024, 11, 30)).period.start == date(2023, 11, 1)


def test_a_day_that_does_not_exist_is_said() -> None:
    assert "no calendar has 'on 31 November 2024'" in answer("what did I pay on 31 November 2024").text


def test_a_document_given_twice_is_one_document() -> None:
    given_ = documents(bill("10.00 EUR"))
    found = answer("what did I pay in 2024", given_ * 2)
    assert (sums(found), len(found.documents)) == ({"EUR": 1000}, 1)


@given(
    st.permutations(EXTRACTED), st.sampled_from(["what did I pay for utilities in 2024", "how many invoices in 2024"])
)
def test_the_order_of_the_documents_does_not_matter(shuffled: list[tuple[Extraction, str]], question: str) -> None:
    asked = is_total_question(question)
    assert asked is not None
    assert total_extracted(asked, shuffled, TODAY) == total_extracted(asked, EXTRACTED, TODAY)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 9_999_999),
            st.sampled_from(["EUR", "GBP", "JPY"]),
            st.dates(date(2024, 1, 1), date(2024, 12, 31)),
        ),
        max_size=12,
    )
)
def test_a_sum_is_the_sum_of_its_parts(payments: list[tuple[int, str, date]]) -> None:
    texts = [
        bill(format_minor(minor, currency), day=str(day), number=f"N-{number}")
        for number, (minor, currency, day) in enumerate(payments)
    ]
    whole = answer("what did I pay Nordwind in 2024", documents(*texts))
    assert sums(whole) == {
        currency: sum(minor for minor, other, _ in payments if other == currency) for _, currency, _ in payments
    }
    halves = [answer(f"what did I pay Nordwind in {half}", documents(*texts)) for half in ("H1 2024", "H2 2024")]
    assert sum(half.count for half in halves) == whole.count == len(payments)
    for money in whole.sums:
        assert money.amount_minor == sum(sums(half).get(money.currency, 0) for half in halves)


def test_every_document_has_exactly_one_outcome() -> None:
    given_ = all_bills()
    for question in ("what did I pay in 2024", "how many receipts in 2024", "what did I pay for gas last year"):
        found = answer(question, given_)
        assert sorted(one.document.path for one in found.documents) == sorted(path for _, path, _ in given_)
        assert all(one.reason or one.outcome == "used" for one in found.documents)
