"""Questions of amount, count and sum are told from all others, and taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.records.question import is_total_question
from schemas.records import PAYMENTS

ASKED = """
total utilities paid in November last year                     | sum paid   | utilities |        | in November last year
how many invoices from Nordwind in 2025                        | count      |        | nordwind  | in 2025
what did I pay for utilities last November?                    | sum paid   | utilities |        | last November
how much did we spend on insurance between March and May 2024 | sum paid | insurance | | between March and May 2024
sum of all receipts in Q3                                      | sum        |        |           | in Q3
was habe ich im November für Strom bezahlt?                    | sum paid   | electricity |      | im November
How much was my electricity bill in November?                  | sum        | electricity |      | in November
total Nordwind invoices in 2025                                | sum        |        | nordwind  | in 2025
what have I paid Nordwind this year                            | sum paid   |        | nordwind  | this year
how much did I pay for the garden fence in May                 | sum paid   |        | (garden fence) | in May
how much did I pay for an umbrella in May                      | sum paid   |        | (umbrella) | in May
list all invoices from Nordwind in 2025                        | list       |        | nordwind  | in 2025
how many credit notes from Acme Cloud Ltd last year            | count      |        | acme cloud | last year
how much did gas and electricity cost in 2024                  | sum        | gas electricity |  | in 2024
how much have I paid                                           | sum paid   |        |           |
Wie viel habe ich 2024 für Versicherungen ausgegeben?          | sum paid   | insurance |        | 2024
wie viele Rechnungen von Nordwind im Jahr 2025                 | count      |        | nordwind  | im Jahr 2025
Wie hoch war meine Stromrechnung im November?                  | sum        | electricity |      | im November
combien ai-je payé pour l'électricité en novembre dernier      | sum paid   | electricity |      | en novembre dernier
combien de factures de Nordwind en 2025                        | count      |        | nordwind  | en 2025
""".strip().split("\n")
"""Question, what it asks, category, payee or (subject words), and the words of the period."""


@pytest.mark.parametrize("row", ASKED)
def test_each_question_is_taken_apart(row: str) -> None:
    question, *expected = (cell.strip() for cell in row.split("|"))
    asked = is_total_question(question)
    assert asked is not None
    words = f"({' '.join(asked.words)})" if asked.words else ""
    what = f"{asked.what} paid" if asked.paid else asked.what
    assert [what, " ".join(asked.categories), " ".join(asked.payee) or words, asked.phrase] == expected


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("how much did I pay in 2024", PAYMENTS),
        ("how many invoices in 2024", {"invoice", "instalment"}),
        ("total of the receipts in 2024", {"receipt"}),
        ("how many credit notes in 2024", {"credit_note"}),
        ("how many reminders in 2024", {"reminder"}),
        ("how many bills and receipts in 2024", {"invoice", "instalment", "receipt"}),
    ],
)
def test_the_noun_says_which_kinds_are_meant(question: str, kinds: frozenset[str]) -> None:
    asked = is_total_question(question)
    assert asked is not None
    assert asked.kinds == kinds


@pytest.mark.parametrize(
    "question",
    [
        "",
        "total",
        "what stops the backup and the mover overlapping",
        "which variable controls the total size",
        "what is the total timeout",
        "how does the sum function work",
        "how much memory does the invoice parser use",
        "how many retries before the payment flow gives up",
        "how many invoices are there",
        "how many invoices does the importer process per batch",
        "how many files were indexed in 2024",
        "what does it cost to run the indexer",
        "when is my car insurance due?",
        "how much was invoice NW-2024-1187",
        "show me the docs for payment retries",
        "what did I write about payments",
        "does this take --dry-run",
        "how much did I pay for gas on 3/11/2025",
        "how much did I pay on 3/11/2025 for gas",
        "how much did I pay for gas in 13/2025",
        "how much did I pay " * 40,
    ],
)
def test_other_questions_are_left_to_the_search(question: str) -> None:
    assert is_total_question(question) is None


@given(st.text(max_size=200))
def test_no_text_breaks_it(question: str) -> None:
    is_total_question(question)
    is_total_question(f"how much did I pay {question} in 2024")
