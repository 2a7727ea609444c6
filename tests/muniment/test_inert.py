"""Text made inert: everything that acts, hides or turns around is spelled out, and nothing else."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.inert import inert, inert_json, one_line


@pytest.mark.parametrize(
    ("live", "spelled"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u3164\u180eb", "a\\u3164\\u180eb"),
        ("a\U000e0121b", "a\\U000e0121b"),
        ("a\udcffb", "a\\udcffb"),
        ("".join(chr(0xE0000 + ord(letter)) for letter in "hi"), "\\U000e0068\\U000e0069"),
    ],
)
def test_what_acts_or_hides_is_spelled_out(live: str, spelled: str) -> None:
    assert inert(live) == spelled


@given(st.text())
def test_no_control_or_mark_of_direction_is_left(text: str) -> None:
    kinds = {unicodedata.category(letter) for letter in inert(text) if letter not in "\t\n"}
    assert "Cc" not in kinds
    assert not {"\u202a", "\u202e", "\u2066", "\u2069"} & set(inert(text))


@given(st.text(alphabet="aé漢🏠 \t\n\u00ad"))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


@given(st.text(), st.booleans())
def test_json_stays_the_same_document(text: str, ascii_only: bool) -> None:
    document = inert_json(json.dumps({text: [text]}, ensure_ascii=ascii_only))
    assert json.loads(document) == {text: [text]}
    assert inert(document) == document


@given(st.text())
def test_a_name_is_one_line(text: str) -> None:
    assert len(one_line(f"a{text}b").splitlines()) == 1
