"""How a value is read from the text around it."""

from __future__ import annotations

import pytest

from tasks.drift.claims import find_claims
from tests.tasks.drift.claims.examples import Example


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("5", "5"),
        ("5.", "5"),
        ("-1", "-1"),
        ("1.5 hours", "1.5 hours"),
        ("`5` seconds", "5 seconds"),
        ("64 KiB, which is plenty", "64 KiB"),
        ("23:00", "23:00"),
        ("`5`", "5"),
        ("``5``", "5"),
        ("**`5`**", "5"),
        ("**5**", "5"),
        ('"a b"', '"a b"'),
        ("“a b”", "a b"),
        ('"\\*"', '"*"'),
        ("<https://bells.example/x>", "https://bells.example/x"),
        ("/srv/bells", "/srv/bells"),
        ("`/srv/bells` (a folder)", "/srv/bells"),
        ("none", "none"),
        ("not set", "not set"),
        ("solemn", "solemn"),
        ("[1, 2]", "[1, 2]"),
        ("<code>5</code>", "5"),
    ],
)
def test_a_value_is_read_without_its_markup(said: str, value: str) -> None:
    (claim,) = find_claims(Example("x.md", f"### `bell`\n\nDefault: {said}\n").file)
    assert claim.documented == value


@pytest.mark.parametrize(
    "said",
    [
        "the weight of the bell",
        "5 or 6",
        "`a` or `b`",
        "5 on Sundays",
        "`5`, `6`",
        "5..7",
        "`5` * 2",
        "`5` (in winter: `6`)",
        "`5` if cold",
        "TOWER_BELLS",
        "",
    ],
)
def test_what_names_no_one_value_is_no_claim(said: str) -> None:
    assert find_claims(Example("x.md", f"### `bell`\n\nDefault: {said}\n").file) == ()


def test_a_place_that_can_be_replaced_holds_the_value_as_it_stands() -> None:
    (claim,) = find_claims(Example("x.md", "- `bell` is its weight (default: **`5 kg`**)").file)
    assert "- `bell` is its weight (default: **`5 kg`**)"[claim.column :][: claim.width] == "5 kg"


def test_a_value_that_is_spelled_otherwise_cannot_be_replaced() -> None:
    (claim,) = find_claims(Example("x.md", "- `bell` waits (default: `5` seconds)").file)
    assert (claim.documented, claim.width) == ("5 seconds", 0)
