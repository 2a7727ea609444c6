"""Whether a documented value and a real one are the same."""

import pytest

from schemas.claims import Truth, ValueKind
from tasks.drift.values import compare
from tests.tasks.drift.values.pairs import PAIRS, Pair


def truth(value: str, option: str = "BELL", kind: ValueKind = "string", reader: str = "yaml") -> Truth:
    return Truth(option, value, kind, "conf", 1, reader)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.verdict}: {pair.documented} = {pair.actual}")
def test_each_pair_has_its_verdict(pair: Pair) -> None:
    assert compare(pair.documented, truth(pair.actual, pair.option)).verdict == pair.verdict


@pytest.mark.parametrize("name", ["switches", "numbers", "percents", "durations", "sizes", "absent", "paths", "lists"])
def test_the_reason_names_the_equality(name: str) -> None:
    pair = next(pair for pair in PAIRS if pair.topic == name)
    assert compare(pair.documented, truth(pair.actual, pair.option)).reason == name


def test_a_computed_truth_decides_nothing() -> None:
    assert compare("tower", truth("find_tower()", kind="computed")).verdict == "unknown"
    assert compare("5", truth("rings + 1", kind="computed")).verdict == "unknown"


def test_a_computed_product_is_its_number() -> None:
    assert compare("1 MiB", truth("1024 * 1024", kind="computed")).verdict == "agrees"


def test_no_value_in_the_code_leaves_it_open() -> None:
    assert compare("5", truth("", kind="null", reader="python")).verdict == "unknown"
    assert compare("None", truth("", kind="null", reader="python")).verdict == "agrees"


def test_a_map_is_not_held_against_an_empty_one() -> None:
    assert compare("{}", truth("{cpu: 1}", kind="map")).verdict == "unknown"


def test_a_text_too_long_is_compared_whole_or_not_at_all() -> None:
    long = "tower " * 200
    assert compare(long, truth(long)).verdict == "agrees"
    assert compare(long, truth(long + "spire")).verdict == "unknown"
