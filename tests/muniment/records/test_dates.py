"""Dates: every spelling means its day, and what could be two days is none."""

from datetime import date, timedelta

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from muniment.records.dates import date_order, find_dates
from muniment.records.months import LANGUAGES

DAY = date(2024, 11, 3)
SPELLINGS = (
    "2024-11-03",
    "2024/11/03",
    "2024.11.03",
    "03.11.2024",
    "3.11.24",
    "3. 11. 2024",
    "3 November 2024",
    "November 3, 2024",
    "3rd November 2024",
    "Nov. 3rd, 2024",
    "03-Nov-2024",
    "03-NOV-24",
    "3. November 2024",
    "Sonntag, den 3. Nov. 2024",
    "3 novembre 2024",
    "3 de noviembre de 2024",
    "3 nov 2024",
    "den 3 november 2024",
    "2024年11月3日",
    "2024-11-03T10:00:00Z",
    "Sun, 3 Nov 2024",
)


def days(line: str, order: str = "") -> list[date | None]:
    return [token.read(order) for token in find_dates(line)]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_each_spelling_means_its_day(spelling: str) -> None:
    assert days(f"Date: {spelling}") == [DAY]
    assert days(f"({spelling})") == [DAY]


@given(
    st.dates(date(1999, 1, 1), date(2060, 12, 31)),
    st.sampled_from(LANGUAGES),
    st.sampled_from(["long", "full", "d MMM y"]),
)
def test_every_language_is_read_back(day: date, language: str, form: str) -> None:
    assert days(format_date(day, form, locale=language)) == [day]


@given(st.dates(date(2000, 1, 1), date(2060, 12, 31)))
def test_day_and_month_change_places_unless_the_order_is_known(day: date) -> None:
    line = f"{day.day:02}/{day.month:02}/{day.year}"
    assert days(line, "dmy") == [day]
    assert days(line) == [day if day.day > 12 or day.day == day.month else None]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("03/04/2024", ""),
        ("03/04/2024 and 25/04/2024", "dmy"),
        ("03/04/2024 and 04/25/2024", "mdy"),
        ("25/04/2024 and 04/25/2024", ""),
        ("Rechnung 03/04/2024", "dmy"),
        ("VAT, 03/04/2024", "dmy"),
        ("Sales tax, 03/04/2024", "mdy"),
        ("Nowhere, CA 90001", "mdy"),
    ],
)
def test_the_document_tells_the_order(text: str, order: str) -> None:
    assert date_order(find_dates(text), text) == order


@pytest.mark.parametrize(
    "line",
    ["32.01.2024", "31.11.2024", "00/00/2024", "version 1.2.3.4", "192.168.1.24", "1.2.1850", "12.11", "Nov 2024",
     "3 marches 2024", "123/45/2024", "2024-13-01", "20241303"],
)  # fmt: skip
def test_what_only_looks_like_a_date_is_none(line: str) -> None:
    assert days(line) == []


def test_eight_digits_are_a_date_only_under_a_label() -> None:
    [token] = find_dates("Date 20241103")
    assert token.compact
    assert token.readings == (DAY,)
    assert not any(token.compact for token in find_dates("2024-11-03"))


def test_two_dates_side_by_side_are_two() -> None:
    assert days("01.11.2024 - 30.11.2024") == [date(2024, 11, 1), date(2024, 11, 1) + timedelta(days=29)]
