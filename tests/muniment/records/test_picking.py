"""Which amount and which date of a bill are taken, and when none is."""

from datetime import date

import pytest

from schemas.records import Extraction
from tests.muniment.records.reading import read

HEAD = "Acme Cloud Inc.\nInvoice\nInvoice date: 3 November 2024\n"


def amount(lines: str, head: str = HEAD) -> tuple[int, str] | str:
    known = read(head + lines)
    return (known.records[0].amount_minor, known.records[0].currency) if known.records else known.reason


def dated(lines: str) -> date | str:
    known = read(f"Acme Cloud Inc.\nInvoice\n{lines}\nTotal 5.00 EUR\n")
    return known.records[0].date if known.records else known.reason


@pytest.mark.parametrize(
    ("lines", "minor"),
    [
        ("Subtotal 100.00 EUR\nVAT 19.00 EUR\nTotal 119.00 EUR", 11900),
        ("Total excl. VAT 100.00 EUR\nTotal VAT 19.00 EUR\nTotal incl. VAT 119.00 EUR", 11900),
        ("Total 100.00 EUR\nVAT 19.00 EUR\nTotal 119.00 EUR", 11900),
        ("Total HT 100,00 €\nTVA 20,00 €\nTotal TTC 120,00 €", 12000),
        ("Nettobetrag 100,00 €\nMwSt. 19,00 €\nGesamtbetrag 119,00 €", 11900),
        ("Total 100.00 19.00 119.00 EUR", 11900),
        ("Net    VAT    Gross total\n100.00    19.00    119.00 EUR", 11900),
        ("Amount due\nEUR 45.00", 4500),
        ("| Total | EUR 45.00 |\n| --- | --- |", 4500),
        ("The total amount of\nEUR 45.00 is payable now.", 4500),
        ("EUR 45.00 will be debited", 4500),
        ("Please pay EUR 45.00 by 3 December 2024", 4500),
        ("Total 480.00 EUR\nDeposit already paid 100.00 EUR\nAmount due 380.00 EUR", 38000),
        ("Total 480.00 EUR\nPaid 480.00 EUR\nBalance due 0.00 EUR", 48000),
        ("Total 480.00 EUR\nInstalment 2 of 4: 120.00 EUR\nAmount due 120.00 EUR", 12000),
        ("Previous balance 45.00 EUR\nPayment received 45.00 EUR\nNew charges 60.00 EUR\nTotal due 60.00 EUR", 6000),
        ("Item  Qty  Total\nWidget  2  20.00 EUR\nGadget  1  30.00 EUR\nTotal 50.00 EUR", 5000),
        ("Total 45.00 EUR par carte", 4500),
        ("Plan 45.00 EUR/month\nTotal 45.00 EUR", 4500),
        ("Total 500.00 EUR\nEquivalent in USD: 620.00 USD", 50000),
        ("Your last bill 45.00 EUR\nPaid -45.00 EUR\nCharges this period 60.00 EUR\nYou owe us 60.00 EUR", 6000),
        ("Previous balance 0.00 EUR\nTotal due 60.00 EUR", 6000),
        ("Total 45.00 EUR\nYou save 10.00 EUR\nNext instalment 50.00 EUR", 4500),
        ("Total 45.00 EUR\n\nPage 2\nTotal 45.00 EUR", 4500),
        ("Carried forward 20.00 EUR\nTotal 45.00 EUR", 4500),
        ("Total 45.00\nAll amounts in EUR", 4500),
        ("Cash 50.00 EUR\nChange 5.00 EUR\nTotal 45.00 EUR", 4500),
        ("We thank you for your payment of EUR 45.00.", 4500),
        ("Item 45.00 EUR", 4500),
    ],
)
def test_the_amount_that_is_asked_for_is_taken(lines: str, minor: int) -> None:
    assert amount(lines) == (minor, "EUR")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("Total 61.10 EUR\nTotal 64.90 EUR", "several totals"),
        ("Total 120.00 USD\nTotal 110.40 EUR", "several totals"),
        ("Amount due 61.10 EUR\nAmount due 64.90 EUR", "several amounts due"),
        ("Total 480.00 EUR\nAmount due 380.00 EUR", "the amount due differs from the total"),
        ("Amount due 120.00 EUR\nInstalment 36.00 EUR", "the amount due differs from the instalment"),
        ("Total outstanding from all invoices 900.00 EUR\nTotal 100.00 EUR", "it carries the balance of earlier bills"),
        ("Amount due 100.00 EUR\nAmount due after 3 June 105.00 EUR", "several amounts due"),
        ("Monthly total 10.00 EUR\nAnnual total 120.00 EUR", "several totals"),
        ("Total hours 12.50\nTotal 500.00 EUR", "several totals"),
        ("Total -33.00 EUR", "the amount is negative, and this is no credit note"),
        ("What you have paid 45.00 EUR\nOther 50.00 EUR", "several amounts and no total"),
        ("Total 480.00 EUR\nPaid 100.00 EUR", "what was paid differs from the total"),
        ("Previous balance EUR 1.234\nTotal EUR 60", "it carries the balance of earlier bills"),
        ("Total 480.00 EUR\nInstalment due now 120.00 EUR", "the amount due differs from the total"),
        ("Total 480.00 EUR\nInstalment 2 of 4: 120.00 EUR", "a total and an instalment of it"),
        ("Total 100.00 19.00 120.00 EUR", "several totals"),
        ("Total 480.00 EUR\nPaid 90.00 EUR\nAmount due 380.00 EUR", "the amount due differs from the total"),
        ("Previous balance 45.00 EUR\nTotal due 105.00 EUR", "it carries the balance of earlier bills"),
        (
            "Previous balance 45.00 EUR\nNew charges 61.00 EUR\nTotal due 105.00 EUR",
            "it carries the balance of earlier bills",
        ),
        ("Total 45.00", "the amount can't be read for sure: no currency"),
        ("Total 45.00\nPrices in EUR, USD", "the amount can't be read for sure: its currency could be any of EUR, USD"),
        ("Total 45,00 kr", "the amount can't be read for sure: no currency"),
        ("Total EUR 1.234", "the amount can't be read for sure: '.' may be a decimal mark"),
        ("Total JPY 12.50", "the amount can't be read for sure: JPY has no such decimals"),
        ("Total (45.00) EUR", "the amount is in brackets, which may mean minus"),
        ("One 45.00 EUR\nTwo 50.00 EUR", "several amounts and no total"),
        ("VAT 45.00 EUR", "no total among its amounts"),
        ("VAT 19 %, IBAN DE89 3704 0044 0532 0130 00, 312 kWh, page 1 of 2", "no amount of money"),
    ],
)
def test_nothing_is_taken_where_it_would_be_a_guess(lines: str, reason: str) -> None:
    assert amount(lines) == reason


def test_the_candidates_are_shown_as_they_are_spelled() -> None:
    assert read(HEAD + "Total £1,061.10\nTotal £64.90").candidates == ("£1,061.10", "£64.90")


@pytest.mark.parametrize(
    "amount_line", ["Total credited 33.00 EUR", "Total -33.00 EUR", "Total (33.00) EUR", "Total 33.00- EUR"]
)
def test_a_credit_note_is_negative_however_it_is_signed(amount_line: str) -> None:
    assert amount(amount_line, HEAD.replace("Invoice\n", "Credit note\n")) == (-3300, "EUR")


@pytest.mark.parametrize(
    "lines",
    [
        "Invoice date: 3 November 2024\nDue date: 3 December 2024",
        "Invoice date: 3 November 2024    Due date: 3 December 2024",
        "Invoice date      Due date\n3 November 2024      3 December 2024",
        "Invoice date\n3 November 2024",
        "Date 20241103",
        "3 November 2024\nPayable by 3 December 2024",
        "Invoice 17 of 3 November 2024\nPeriod 1 October 2024 to 31 October 2024",
        "Musterstadt, den 3. November 2024\nFällig am 3. Dezember 2024",
        "Facture du 3 novembre 2024\nÉchéance : 3 décembre 2024",
        "Factuurdatum: 03-11-2024\nVervaldatum: 03-12-2024",
        "Datum: 03/11/2024",
        "Date: 11/03/2024\nSales tax included",
        "Date: 3 November 2024\nInvoice 16 of 1 October 2024",
        "Payment received on 3 November 2024",
    ],
)
def test_the_bills_own_date_is_taken(lines: str) -> None:
    assert dated(lines) == date(2024, 11, 3)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("Date: 03/04/2024", "day and month could change places"),
        ("Date: 3 November 2024\nDate: 4 November 2024", "several dates"),
        ("3 November 2024\n4 November 2024", "several dates"),
        ("Due date: 3 December 2024", "no date of its own, only of other events"),
        ("Ref 4711", "no date"),
    ],
)
def test_no_date_is_taken_where_it_would_be_a_guess(lines: str, reason: str) -> None:
    assert dated(lines) == reason


def test_a_stated_day_of_payment_is_kept_beside_the_date() -> None:
    [record] = read(HEAD + "Total 45.00 EUR\nPaid on 14 November 2024").records
    assert (record.date, record.paid_on) == (date(2024, 11, 3), date(2024, 11, 14))


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("INVOICE", "invoice"),
        ("Payment reminder for invoice 17", "reminder"),
        ("Invoice 17\nFINAL NOTICE", "reminder"),
        ("Gutschrift zu Rechnung 17", "credit_note"),
        ("Receipt for invoice 17", "receipt"),
        ("Quittung", "receipt"),
        ("Quotation", "quote"),
        ("Invoice\nQuote no. 17\nOrder no. 18", "invoice"),
        ("Auftragsbestätigung", "order"),
        ("Payslip November", "income"),
        ("Kontoauszug", "statement"),
        ("Versicherungsschein", "policy"),
        ("Ratenplan", "instalment"),
        ("Bill to: somebody\nOrder confirmation", "order"),
        ("Minutes of a meeting", ""),
    ],
)
def test_the_head_says_the_kind(title: str, kind: str) -> None:
    assert read(f"{title}\nSomething else.\n").kind == kind


MAIL = (
    "Subject: Your invoice\nFrom: Nordwind Energy <bills@nordwind.example>\nDate: Tue, 05 Nov 2024 10:00:00 +0000\n\n"
)


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        ("Date: 3 November 2024", 3),
        ("Invoice 17 of 3 November 2024", 3),
        ("Period 1 October 2024 to 31 October 2024", 5),
        ("The meter was read, and 2 November 2024 was a Saturday", 5),
    ],
)
def test_a_bill_in_a_mail_has_its_own_date_before_that_of_the_mail(lines: str, day: int) -> None:
    found = read(f"{MAIL}Invoice No. 4711\n{lines}\nElectricity\nTotal due: EUR 5.00\n")
    assert found.date == date(2024, 11, day)


@pytest.mark.parametrize(
    ("text", "payee"),
    [
        ("Nordwind Energy Ltd\nInvoice", "Nordwind Energy Ltd"),
        ("INVOICE\nBill to: Somebody Ltd\nFrom: Nordwind Energy", "Nordwind Energy"),
        ("Kunde: Muster GmbH\nNordwind AG · Beispielweg 1\nRechnung", "Nordwind AG"),
        ("Invoice\nBill to:\nSomebody Ltd\nNordwind Energy B.V.", "Nordwind Energy B.V."),
        ("# Nordwind\n\nInvoice", "Nordwind"),
        ("Subject: Your invoice\nFrom: Nordwind Energy <bills@nordwind.example>\n\nInvoice", "Nordwind Energy"),
        ('From: "Nordwind Energy" <bills@nordwind.example>\n\nInvoice', "Nordwind Energy"),
        ("INVOICE\nTotal 5.00 EUR", ""),
        ("Dear customer, thank you for the payment that you made to us last week.\nInvoice", ""),
    ],
)
def test_the_payee_is_the_sender_not_the_recipient(text: str, payee: str) -> None:
    assert read(text).payee == payee


@pytest.mark.parametrize(
    ("lines", "categories"),
    [
        ("Electricity 312 kWh", ("electricity",)),
        ("Subject: internet\nElectricity 312 kWh", ("telecom",)),
        ("Gas and electricity", ("utilities",)),
        ("Miete November", ("rent",)),
        ("Rent and train ticket", ("rent", "transport")),
        ("Widgets", ()),
    ],
)
def test_the_category_is_one_only_where_it_is_clear(lines: str, categories: tuple[str, ...]) -> None:
    assert read(f"Acme\nInvoice\n{lines}\n").categories == categories


def plan(*rows: str, total: str = "Total price: EUR 480.00") -> Extraction:
    return read("\n".join(["Imaginary Fences Ltd", "Payment plan", total, *rows]))


def test_each_instalment_is_a_payment_on_its_day() -> None:
    known = plan("1   15 October 2024    EUR 160.00", "2   15 November 2024   EUR 320.00")
    assert [(one.amount_minor, one.date.month, one.kind) for one in known.records] == [
        (16000, 10, "instalment"),
        (32000, 11, "instalment"),
    ]


def test_a_plan_that_does_not_add_up_is_not_read() -> None:
    known = plan("Instalment 1  15 October 2024  EUR 160.00", "Instalment 2  15 November 2024  EUR 160.00")
    assert (known.records, known.reason) == ((), "the payments don't add up to the total")
    known = plan("Rate 1  15.10.2024  EUR 1.234", "Rate 2  15.11.2024  EUR 160,00", total="")
    assert known.records[0].amount_minor == 123400


def test_a_plan_with_an_unreadable_row_is_not_read() -> None:
    known = plan("Instalment 1  03/04/2024  EUR 160.00", "Instalment 2  03/05/2024  EUR 320.00")
    assert (known.reason, known.candidates) == (
        "a payment of the plan can't be read for sure",
        ("03/04/2024", "EUR 160.00", "03/05/2024", "EUR 320.00"),
    )


def test_payments_made_before_do_not_hide_the_total() -> None:
    rows = "Abschlag 01.01.2024  80,00 EUR\nAbschlag 01.02.2024  80,00 EUR\n"
    known = read(
        "Stadtwerke AG\nRechnung\nDatum: 03.11.2024\n"
        + rows
        + "Gesamtbetrag 200,00 EUR\nBereits gezahlt 160,00 EUR\nZahlbetrag 40,00 EUR"
    )
    assert [one.amount_minor for one in known.records] == [4000]
