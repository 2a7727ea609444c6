"""Which texts look like holding a key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.secrets.keys import SPELLED, find_keys, without_keys
from tests.attack.planted import STAND_INS, planted

KEYS = planted()


def around(text: str) -> str:
    return f"# Setup\n\nSet this before you start:\n\n{text}\n\nand restart.\n"


@pytest.mark.parametrize("name", KEYS)
def test_a_planted_key_is_found_on_its_line(name: str) -> None:
    text, value = KEYS[name]
    found = find_keys(around(text))
    assert {line for key in found for line in range(key.start, key.end + 1)} == set(range(4, 5 + text.count("\n")))
    assert value not in without_keys(around(text))
    assert SPELLED in without_keys(around(text))


@pytest.mark.parametrize("text", STAND_INS)
def test_what_stands_in_for_a_key_is_none(text: str) -> None:
    assert find_keys(around(text)) == []
    assert without_keys(around(text)) == around(text)


def test_few_of_many_keys_are_missed() -> None:
    """Keys are random: one with hardly a digit in it looks like a word."""
    tried = [text for seed in range(20) for text, _ in planted(100 + seed).values()]
    assert sum(not find_keys(around(text)) for text in tried) <= len(tried) // 50


def test_a_key_inside_a_longer_word_is_none() -> None:
    text, _ = KEYS["aws id"]
    assert find_keys(text)
    assert not find_keys("Qk" + text)


def test_the_value_is_never_spelled_by_accident() -> None:
    text, value = KEYS["github"]
    assert value not in repr(find_keys(text))


@pytest.mark.parametrize(
    "text",
    [
        "://:" * 100_000,
        "token=" * 70_000,
        "a1" * 200_000,
        "eyJ" * 130_000,
        "sk-" * 130_000,
        "BEGIN PRIVATE KEY" * 20_000,
    ],
)
def test_no_line_takes_for_ever(text: str) -> None:
    """Patterns that go back would need hours for the first."""
    assert find_keys(text) is not None


@given(st.text(), st.sampled_from(sorted(KEYS)), st.text())
def test_a_key_is_found_between_any_lines(before: str, name: str, after: str) -> None:
    text, _ = KEYS[name]
    assert find_keys(f"{before}\n\n{text}\n\n{after}")
