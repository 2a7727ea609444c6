"""Changes of a line: the smallest, and the same in whole words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.drift.spans import Change, change, whole_word


@pytest.mark.parametrize(
    ("old", "new", "smallest", "whole"),
    [
        ("`X` is `300`", "`X` is `600`", Change(8, 9, "6"), Change(8, 11, "600")),
        ("| a | 5 |", "| a | 50 |", Change(7, 7, "0"), Change(6, 7, "50")),
        ("[x](a.md)", "[x](docs/a.md)", Change(4, 4, "docs/"), Change(4, 8, "docs/a.md")),
        ("same", "same", Change(4, 4, ""), Change(0, 4, "same")),
        ("aaa", "aa", Change(2, 3, ""), Change(0, 3, "aa")),
    ],
)
def test_a_change_is_widened_to_whole_words(old: str, new: str, smallest: Change, whole: Change) -> None:
    assert change(old, new) == smallest
    assert whole_word(smallest, old) == whole


@given(st.text("ab `", max_size=12), st.text("ab `", max_size=12))
def test_either_change_makes_the_new_line(old: str, new: str) -> None:
    for start, end, text in (change(old, new), whole_word(change(old, new), old)):
        assert 0 <= start <= end <= len(old)
        assert old[:start] + text + old[end:] == new
