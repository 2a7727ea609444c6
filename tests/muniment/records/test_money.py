"""Amounts: every locale's spelling is read back exactly, and numbers that are no money are not."""

from decimal import Decimal

import pytest
from babel.numbers import format_currency
from hypothesis import given
from hypothesis import strategies as st

from muniment.records.currencies import find_currencies, precision, shared_signs
from muniment.records.dates import find_dates
from muniment.records.money import Amount, find_amounts, format_minor, number_style
from muniment.records.noise import document_number, mask

LOCALES = ("en", "en_GB", "de", "de_AT", "fr", "es", "nl", "it", "sv", "pt", "ja")
CURRENCIES = ("EUR", "USD", "GBP", "CHF", "JPY", "SEK")


def amounts_in(line: str) -> list[Amount]:
    masked = mask(line, find_dates(line))
    return find_amounts(masked, number_style([masked]), shared_signs(line))


def read(line: str) -> list[tuple[int | None, str]]:
    return [(one.minor(one.currency or "EUR"), one.currency) for one in amounts_in(line)]


@given(
    st.integers(0, 99_999_999_999),
    st.sampled_from(LOCALES),
    st.sampled_from(CURRENCIES),
    st.booleans(),
    st.sampled_from(",'’"),
)
def test_what_a_locale_writes_is_read_back(minor: int, locale: str, currency: str, code: bool, mark: str) -> None:
    value = Decimal(minor).scaleb(-precision(currency))
    written = format_currency(value, currency, "¤¤ #,##0.00" if code else None, locale=locale)
    if locale == "en_GB":
        # Babel groups only the last three digits of Swiss amounts: the Swiss way is made from the English.
        written = written.replace(",", mark)
    # kr and $ alone may mean several currencies; the document says which.
    line, context = f"Total: {written}", f"Total: {written}\nAmounts in {currency}"
    masked = mask(line, [])
    [amount] = find_amounts(masked, number_style([masked]), shared_signs(context))
    assert (amount.minor(currency), amount.currency) == (minor, currency)


@given(st.integers(-99_999_999_999, 99_999_999_999), st.sampled_from(CURRENCIES))
def test_our_own_spelling_is_read_back(minor: int, currency: str) -> None:
    assert read(format_minor(minor, currency)) == [(minor, currency)]


@pytest.mark.parametrize(
    ("line", "minor", "currency"),
    [
        ("Total 1,234.56 EUR", 123456, "EUR"),
        ("Total 1.234,56 €", 123456, "EUR"),
        ("Total 1 234,56 €", 123456, "EUR"),
        ("Total 1\u202f234,56\u00a0€", 123456, "EUR"),
        ("Total 1'234.56 CHF", 123456, "CHF"),
        ("Total 1’234.56 CHF", 123456, "CHF"),
        ("EUR1,234.56", 123456, "EUR"),
        ("1.234,56EUR", 123456, "EUR"),
        ("12,34,567.00", None, ""),
        ("£0.99", 99, "GBP"),
        ("Fr. 45.-", 4500, "CHF"),
        ("SFr. 45.–", 4500, "CHF"),
        ("45,-- €", 4500, "EUR"),
        ("$1,234", 123400, "USD"),
        ("US$ 12.00", 1200, "USD"),
        ("A$45.00", 4500, "AUD"),
        ("CA$45.00", 4500, "CAD"),
        ("¥12,800", 12800, "JPY"),
        ("12.800 JPY", 12800, "JPY"),
        ("450 kr SEK", 45000, "SEK"),
        ("-€12.50", -1250, "EUR"),
        ("€-12.50", -1250, "EUR"),
        ("−12.50 EUR", -1250, "EUR"),
        ("12.50- EUR", -1250, ""),
        ("USD 12.50 CR", -1250, "USD"),
        ("EUR 1.234", None, "EUR"),
        ("1.234 EUR", None, "EUR"),
        ("KWD 12.345", None, "KWD"),
        ("Rate 2 450,00 EUR", None, "EUR"),
        ("Pos 2 3 450,00 EUR", None, "EUR"),
        ("USD 100.00 EUR", None, ""),
    ],
)
def test_each_spelling_has_one_reading_or_none(line: str, minor: int | None, currency: str) -> None:
    assert read(line) in ([(minor, currency)], [] if minor is None else None)


@pytest.mark.parametrize("line", ["EUR 45.00 / USD 50.00", "EUR 45.00/USD 50.00", "€45.00 / $50.00"])
def test_the_same_in_another_currency_is_no_price_of_one(line: str) -> None:
    assert read(line) == [(4500, "EUR"), (5000, "USD")]


def test_another_amount_settles_what_a_full_stop_means() -> None:
    lines = ["Netto 19,99 EUR", "Total 1.234 EUR"]
    assert find_amounts(lines[1], number_style(lines), {})[0].minor("EUR") == 123400
    [other] = find_amounts(lines[1], number_style(["Net 19.99 EUR", lines[1]]), {})
    assert other.doubt == "'.' is a decimal mark elsewhere"


@pytest.mark.parametrize(
    "line",
    [
        "IBAN DE89 3704 0044 0532 0130 00",
        "IBAN GB33BUKB20201555555555",
        "Tel. +49 30 1234567, Fax 030/1234567-99",
        "Phone: (555) 010-1234.50",
        "Invoice no. 2024.50",
        "Rechnungsnummer: 2024/1187.20",
        "Customer no. 4711.00",
        "Date 03.11.2024, 12.11.24 and 2024-11-03",
        "VAT 19.00 %",
        "19,00% MwSt",
        "312.50 kWh at 0.3215 EUR/kWh",
        "Zählerstand: 48.213,50",
        "Meter reading 1,240.50",
        "42,00 m³",
        "Page 1 of 2, Seite 12",
        "in the year 2,024 and 2.024 and 2024",
        "17:42 and 09.30 o'clock".replace("09.30", "09:30"),
        "https://example.invalid/12.50 and a12.50@example.invalid",
        "CHE-123.456.789 MWST",
        "version 1.2.34",
        "10.50-12.50",
        "1,759 €/l",
        "EUR 12.50 per month",
        "45,50 x 12.5",
    ],
)
def test_numbers_that_are_no_money_are_not_read(line: str) -> None:
    assert amounts_in(line) == []


@pytest.mark.parametrize(
    ("text", "sign", "code"),
    [
        ("Total $5", "$", "USD"),
        ("Total $5 CAD", "$", "CAD"),
        ("Total $5, GST included", "$", ""),
        ("Total $5 USD or $7 CAD", "$", ""),
        ("Totalt 5 kr", "kr", ""),
        ("Totalt 5 kr, alla belopp i SEK", "kr", "SEK"),
        ("¥5", "¥", "JPY"),
        ("¥5 CNY", "¥", "CNY"),
    ],
)
def test_a_shared_sign_means_what_the_document_says(text: str, sign: str, code: str) -> None:
    assert shared_signs(text)[sign] == code


@pytest.mark.parametrize("line", ["Fr 3. Nov", "TOTAL FOR ALL 45.00", "krona", "eurozone", "EURO2024", "ABC 12.00"])
def test_words_are_no_currencies(line: str) -> None:
    assert find_currencies(line, shared_signs(line)) == []


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Invoice number: NW-2024-1187", "NW-2024-1187"),
        ("Rechnung Nr. 2024/5512", "2024/5512"),
        ("FACTURE N° F-2024-311", "F-2024-311"),
        ("Número de factura: EI-2024-77", "EI-2024-77"),
        ("**Invoice** no. nw-7", "NW-7"),
        ("Invoice AC-00950", "AC-00950"),
        ("Invoice number: pending", ""),
        ("Customer no. 4711", ""),
    ],
)
def test_the_number_of_a_bill_is_found(line: str, number: str) -> None:
    assert document_number(line) == number
