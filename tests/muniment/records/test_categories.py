"""What a bill is for: told by its words, not by who wrote it from which street."""

import pytest

from muniment.records.categories import category_of, find_categories
from muniment.records.letterhead import without_letterhead

BILL = "{}\n\nInvoice No. 17\nDate: 3 November 2025\n\n{}\nTotal due: EUR 45.00\n"


def categories(head: str, item: str = "Books") -> tuple[str, ...]:
    return find_categories(BILL.format(head, item).split("\n"), head.split("\n", maxsplit=1)[0])[0]


@pytest.mark.parametrize(
    "head",
    [
        "Quill Bookshop\nPhone: 030 1234567",
        "Quill Bookshop\nMobile +44 7700 900123",
        "Buchladen Feder\nTelefon 030/1234567\nInternet: www.feder.example",
        "Quill Bookshop\ninfo@cloud.example, https://hosting.example/",
        "Buchladen Feder\nBahnhofstraße 5\n12345 Nirgendwo",
        "Weinhandlung Traube\nAm Wasserturm 3",
        "Quill Books\n5 Water Street",
        "Quill Books\n12a Old Parking Lane",
        "Librairie Plume\n3, rue de l'Eau",
        "Libreria Penna\nVia del Gas 7",
        "Buchladen Müller",
        "Tandläkare Bergström",
        "Klavierhaus Flügel",
        "Wassermann Bücher GmbH",
        "Quill Bookshop\nPay by mobile app",
    ],
)
def test_names_streets_and_numbers_say_nothing(head: str) -> None:
    assert categories(head) == ()
    assert categories(head, "Ökostrom im Oktober") == ("electricity",)


@pytest.mark.parametrize(
    ("item", "category"),
    [
        ("Haushaltsstrom", "electricity"),
        ("Stromverbrauch", "electricity"),
        ("Müll", "waste"),
        ("Müllabfuhrgebühr", "waste"),
        ("Trinkwasser und Abwasser", "water"),
        ("Wassergeld", "water"),
        ("Bahncard", "transport"),
        ("Flug nach Wien", "travel"),
        ("Internet 100 Mbit", "telecom"),
        ("Phone 29.95 EUR", "telecom"),
        ("Water supply, 5 Mill Lane", "water"),
    ],
)
def test_what_was_bought_says_what_it_is_for(item: str, category: str) -> None:
    assert categories("Imaginary Ltd", item) == (category,)


@pytest.mark.parametrize("name", ["Müller", "Bergström", "Flügel", "Wassermann", "Bahnhof"])
def test_a_name_is_no_category(name: str) -> None:
    assert category_of(name) == ""


def test_a_long_line_is_read_in_no_time() -> None:
    for line in ("phone " + "1 " * 5_000, "am " + "a-" * 5_000, "1 " + "road " * 5_000, "via " + "x " * 5_000):
        assert len(without_letterhead(line)) <= 500
