"""Phrases of periods, said on 15 November 2025, and the days they mean."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.records.periods import resolve_period
from muniment.records.phrases import find_phrase
from schemas.records import Period

TODAY = date(2025, 11, 15)


def period(question: str, today: date = TODAY) -> Period | None:
    phrase = find_phrase(question)
    return resolve_period(phrase, question[phrase.start : phrase.end], today) if phrase else None


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("in November last year", "2024-11-01", "2024-11-30"),
        ("in November of last year", "2024-11-01", "2024-11-30"),
        ("last November", "2024-11-01", "2024-11-30"),
        ("last October", "2025-10-01", "2025-10-31"),
        ("in November", "2025-11-01", "2025-11-30"),
        ("in December", "2024-12-01", "2024-12-31"),
        ("this March", "2025-03-01", "2025-03-31"),
        ("November 2024", "2024-11-01", "2024-11-30"),
        ("Nov. 2024", "2024-11-01", "2024-11-30"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("2024-11", "2024-11-01", "2024-11-30"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("in the year 2025", "2025-01-01", "2025-12-31"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("this year", "2025-01-01", "2025-12-31"),
        ("so far this year", "2025-01-01", "2025-11-15"),
        ("year to date", "2025-01-01", "2025-11-15"),
        ("last month", "2025-10-01", "2025-10-31"),
        ("this month", "2025-11-01", "2025-11-30"),
        ("last week", "2025-11-03", "2025-11-09"),
        ("last quarter", "2025-07-01", "2025-09-30"),
        ("yesterday", "2025-11-14", "2025-11-14"),
        ("in Q3", "2025-07-01", "2025-09-30"),
        ("Q4 2024", "2024-10-01", "2024-12-31"),
        ("in the third quarter of last year", "2024-07-01", "2024-09-30"),
        ("first half of 2024", "2024-01-01", "2024-06-30"),
        ("H2 2024", "2024-07-01", "2024-12-31"),
        ("in the last 3 months", "2025-08-16", "2025-11-15"),
        ("over the past two weeks", "2025-11-02", "2025-11-15"),
        ("last 30 days", "2025-10-17", "2025-11-15"),
        ("between March and May 2024", "2024-03-01", "2024-05-31"),
        ("from March to May 2024", "2024-03-01", "2024-05-31"),
        ("March–May 2024", "2024-03-01", "2024-05-31"),
        ("between November and February 2024", "2023-11-01", "2024-02-29"),
        ("between November 2023 and February", "2023-11-01", "2024-02-29"),
        ("between March and May", "2025-03-01", "2025-05-31"),
        ("2023-2024", "2023-01-01", "2024-12-31"),
        ("from 2023 to 2024", "2023-01-01", "2024-12-31"),
        ("between 3 March and 5 May 2024", "2024-03-03", "2024-05-05"),
        ("on 3 November 2024", "2024-11-03", "2024-11-03"),
        ("on November 3, 2024", "2024-11-03", "2024-11-03"),
        ("on the 3rd of November", "2025-11-03", "2025-11-03"),
        ("since March", "2025-03-01", ""),
        ("since 2024", "2024-01-01", ""),
        ("after March 2024", "2024-04-01", ""),
        ("until May 2024", "", "2024-05-31"),
        ("before 2024", "", "2023-12-31"),
        ("im November", "2025-11-01", "2025-11-30"),
        ("im November letzten Jahres", "2024-11-01", "2024-11-30"),
        ("letzten November", "2024-11-01", "2024-11-30"),
        ("letztes Jahr", "2024-01-01", "2024-12-31"),
        ("im letzten Monat", "2025-10-01", "2025-10-31"),
        ("in den letzten 3 Monaten", "2025-08-16", "2025-11-15"),
        ("im dritten Quartal 2024", "2024-07-01", "2024-09-30"),
        ("im Jahr 2024", "2024-01-01", "2024-12-31"),
        ("zwischen März und Mai 2024", "2024-03-01", "2024-05-31"),
        ("seit März 2024", "2024-03-01", ""),
        ("am 03.11.2024", "2024-11-03", "2024-11-03"),
        ("in 11/2024", "2024-11-01", "2024-11-30"),
        ("im 11.2024", "2024-11-01", "2024-11-30"),
        ("from 11/2024 to 01/2025", "2024-11-01", "2025-01-31"),
        ("on 13/11/2024", "2024-11-13", "2024-11-13"),
        ("on 11/13/2024", "2024-11-13", "2024-11-13"),
        ("on 2/2/2024", "2024-02-02", "2024-02-02"),
        ("en novembre dernier", "2024-11-01", "2024-11-30"),
        ("en novembre de l'année dernière", "2024-11-01", "2024-11-30"),
        ("le mois dernier", "2025-10-01", "2025-10-31"),
        ("ce mois-ci", "2025-11-01", "2025-11-30"),
        ("les 3 derniers mois", "2025-08-16", "2025-11-15"),
        ("entre mars et mai 2024", "2024-03-01", "2024-05-31"),
        ("au troisième trimestre 2024", "2024-07-01", "2024-09-30"),
    ],
)
def test_each_phrase_means_its_days(phrase: str, start: str, end: str) -> None:
    found = period(f"what did I pay {phrase} for gas?")
    assert found is not None
    assert (str(found.start or ""), str(found.end or "")) == (start, end)
    assert found.phrase.lower() in phrase.lower()


@pytest.mark.parametrize(
    "question",
    [
        "how much did I pay",
        "may I pay",
        "a march of progress",
        "how many in total",
        "the second half",
        "4711",
        "in Q5",
        "NW-2024-1187",
        "A-2024",
        "on 3/11/2024",
        "in 13/2024",
    ],
)
def test_other_words_are_no_period(question: str) -> None:
    assert period(question) is None


def test_two_months_are_not_the_time_between_them() -> None:
    found = period("in March and May 2024")
    assert found is not None
    assert found.phrase == "in March"


@pytest.mark.parametrize("phrase", ["31 November 2024", "30 February", "on 29 February 2023"])
def test_a_day_that_no_calendar_has_holds_no_day(phrase: str) -> None:
    found = period(phrase)
    assert found is not None
    assert not any(found.holds(day) for day in (date.min, TODAY, date.max))


PHRASES = (
    "last November",
    "this month",
    "last week",
    "in the last 3 months",
    "Q3",
    "in May",
    "last quarter",
    "since March",
)


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)), st.sampled_from(PHRASES))
def test_a_period_begins_before_it_ends_and_never_in_the_future(today: date, phrase: str) -> None:
    found = period(phrase, today)
    assert found is not None
    assert found.start is not None
    assert found.start <= (found.end or today)
    assert found.start <= today


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_last_month_ends_the_day_before_this_month(today: date) -> None:
    last, this = period("last month", today), period("this month", today)
    assert last is not None
    assert this is not None
    assert last.end is not None
    assert last.end + timedelta(days=1) == this.start
    assert this.holds(today)


@given(st.text(max_size=80), st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_no_text_breaks_the_reading(question: str, today: date) -> None:
    phrase = find_phrase(question)
    if phrase:
        assert 0 <= phrase.start < phrase.end <= len(question)
        resolve_period(phrase, "", today)


WORDS = (
    *("last", "this", "between", "and", "since", "before", "in", "of", "to", "-", "dernier", "first", "3", "99", "31"),
    *("half", "quarter", "month", "week", "year", "Q3", "March", "May", "November"),
    *("2024", "2024-13", "2024-02-31", "01.13.2024"),
)


@given(st.lists(st.sampled_from(WORDS), max_size=7), st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_no_mix_of_its_words_breaks_the_reading(words: list[str], today: date) -> None:
    period(" ".join(words), today)
