"""What holds for every equality and any two texts."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tasks.drift.values
from schemas.claims import Truth
from tasks.drift.values import EQUALITIES, compare, is_value
from tests.tasks.drift.values.pairs import PAIRS

WRITTEN = sorted({text for pair in PAIRS for text in (pair.documented, pair.actual)})
PIECES = st.sampled_from(
    [*WRITTEN, *"'\"`*_\\,;.()[]{}<>|$~-+%#/ \n\t", "&lt;", "<br>", "0x", "1e", " and ", "GiB", "٣", "½"]
)
VALUES = st.sampled_from(WRITTEN) | st.text(max_size=20) | st.lists(PIECES, max_size=6).map("".join)
OPTIONS = st.sampled_from(["BELL", "WAIT_MS", "keepDays", "MAX_SIZE_MB", "bell_version", ""])
OURS = Path(tasks.drift.values.__file__).parent
VERDICTS = ("agrees", "disagrees", "unknown", None)


@pytest.mark.parametrize("name", EQUALITIES)
@settings(max_examples=200)
@given(left=VALUES, right=VALUES, option=OPTIONS)
def test_an_equality_is_symmetric(name: str, left: str, right: str, option: str) -> None:
    verdict = EQUALITIES[name](left, right, option)
    assert verdict in VERDICTS
    assert EQUALITIES[name](right, left, option) == verdict


@pytest.mark.parametrize("name", EQUALITIES)
@settings(max_examples=100)
@given(value=VALUES, option=OPTIONS)
def test_an_equality_never_parts_a_value_from_itself(name: str, value: str, option: str) -> None:
    assert EQUALITIES[name](value, value, option) in ("agrees", None)


@pytest.mark.parametrize("name", EQUALITIES)
def test_each_equality_decides_some_pair(name: str) -> None:
    assert any(EQUALITIES[name](pair.documented, pair.actual, pair.option) == "agrees" for pair in PAIRS)


@settings(max_examples=300)
@given(documented=VALUES, actual=VALUES, option=OPTIONS)
def test_comparing_always_has_an_answer_and_a_reason(documented: str, actual: str, option: str) -> None:
    verdict, reason = compare(documented, Truth(option, actual, "string", "conf", 1, "yaml"))
    assert verdict in VERDICTS[:3]
    assert reason


@settings(max_examples=200)
@given(value=VALUES, option=OPTIONS)
def test_a_value_agrees_with_itself(value: str, option: str) -> None:
    assert compare(value, Truth(option, value, "string", "conf", 1, "yaml")).verdict == "agrees"


@settings(max_examples=200)
@given(value=VALUES, actual=VALUES)
def test_what_is_no_value_never_disagrees(value: str, actual: str) -> None:
    verdict = compare(value, Truth("BELL", actual, "string", "conf", 1, "yaml")).verdict
    assert is_value(value) or verdict != "disagrees"


def steps(documented: str, actual: str) -> int:
    """Lines of our code that comparing runs; the matching itself is done by an engine that is linear."""
    count = 0

    def trace(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        if OURS not in Path(frame.f_code.co_filename).parents:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compare(documented, Truth("BELL", actual, "string", "conf", 1, "yaml"))
    finally:
        sys.settrace(before)
    return count


PARTS = [
    "(",
    "[",
    "{",
    "`",
    '"',
    "a,",
    "1,",
    "1 day ",
    "0",
    "<b>",
    "\\",
    "a|",
    "-",
    "$",
    " or ",
    "/.",
    "&lt;",
    "a ",
    "1 * ",
    "\n",
]


@pytest.mark.parametrize("part", PARTS)
def test_twice_the_length_is_at_most_twice_the_work(part: str) -> None:
    half, whole = (part * (length // len(part)) for length in (250, 500))
    for end in ("", "x"):
        assert steps(f"{whole}y", f"{whole}{end}") <= 2 * steps(f"{half}y", f"{half}{end}") + 200


@pytest.mark.parametrize("part", PARTS)
def test_beyond_the_longest_value_nothing_is_looked_at(part: str) -> None:
    assert steps(part * 100_000, part * 200_000) < 20


@pytest.mark.parametrize("text", ["\ud800", "$\ud800", "\ud800_A", "\ud800 days", '"\ud800"', "\ud800.x"])
def test_half_a_character_is_survived(text: str) -> None:
    for documented, actual in ((text, "5"), ("TOWER_X", text), (text, text)):
        assert compare(documented, Truth(text, actual, "string", "conf", 1, "yaml")).verdict in VERDICTS
    assert is_value(text) in (True, False)
