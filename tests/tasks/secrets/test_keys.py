"""Which texts look like holding a key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.secrets.keys import SPELLED, find_keys, without_keys
from tests.attack.planted import Made, planted
from tests.attack.stand_ins import STAND_INS

KEYS = planted()


def around(text: str) -> str:
    return f"# Setup\n\nSet this before you start:\n\n{text}\n\nand restart.\n"


@pytest.mark.parametrize("name", KEYS)
def test_a_planted_key_is_found_on_its_line(name: str) -> None:
    text, value = KEYS[name]
    doc = around(text)
    lines = {line for key in find_keys(doc) for line in range(key.start, key.end + 1)}
    assert {number for number, line in enumerate(doc.split("\n")) if value in line} <= lines
    assert lines <= set(range(4, 5 + text.count("\n")))
    assert value not in without_keys(doc)
    assert SPELLED in without_keys(doc)


@pytest.mark.parametrize("text", STAND_INS)
def test_what_stands_in_for_a_key_is_none(text: str) -> None:
    assert find_keys(around(text)) == []
    assert without_keys(around(text)) == around(text)


@pytest.mark.parametrize("name", ["chosen words", "chosen numbered", "chosen mixed", "curl", "netrc"])
def test_a_template_may_name_a_password_of_words(name: str) -> None:
    """What somebody would choose is an example there; what is random is a key there as well."""
    assert find_keys(around(KEYS[name][0]))
    assert find_keys(around(KEYS[name][0]), template=True) == []
    assert find_keys(around(KEYS["github"][0]), template=True)


def test_a_word_of_the_document_is_no_password() -> None:
    """A password that is the name of what the document is about is its default."""
    made = Made(3).words()
    assert find_keys(f"password: {made}\n")
    assert find_keys(f"# {made}\n\nStart {made} first.\n\npassword: {made}\n") == []


def test_a_key_inside_a_longer_word_is_none() -> None:
    text, _ = KEYS["aws id"]
    assert find_keys(text)
    assert not find_keys("Qk" + text)


def test_the_value_is_never_spelled_by_accident() -> None:
    text, value = KEYS["github"]
    assert value not in repr(find_keys(text))


def test_keys_that_overlap_leave_nothing_behind() -> None:
    token, other = KEYS["github"][1], KEYS["npm"][1]
    said = without_keys(f"token={token}{other} and {token}\n")
    assert token not in said
    assert other[-12:] not in said


@pytest.mark.parametrize(
    "text",
    [
        "://:" * 100_000,
        "token=" * 70_000,
        "a1" * 200_000,
        "eyJ" * 130_000,
        "sk-" * 130_000,
        "BEGIN PRIVATE KEY" * 20_000,
        "password password\n" * 20_000,
        "password: 'a" * 30_000,
        "mysql -p " * 40_000,
        "| token |\n|---|---|\n" * 15_000,
        "a1b2c3d4\n" * 40_000,
        "a1b2c3d4\\\n" * 40_000,
        "machine a login b " * 20_000,
        "https://a:b" * 30_000,
        "curl -u a:" * 30_000,
        "htpasswd -b -b " * 20_000,
    ],
)
def test_no_line_takes_for_ever(text: str) -> None:
    """Patterns that go back would need hours for the first."""
    assert find_keys(text) is not None


@given(st.text(), st.sampled_from(sorted(set(KEYS) - {"chosen words", "chosen words variable"})), st.text())
def test_a_key_is_found_between_any_lines(before: str, name: str, after: str) -> None:
    """But for a word that stands elsewhere in the text as well."""
    text, _ = KEYS[name]
    assert find_keys(f"{before}\n\n{text}\n\n{after}")
