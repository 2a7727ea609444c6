"""Shares, their intervals, and when two differ: as scipy has them, where scipy has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.effectiveness.intervals import change, wilson

COUNTS = st.integers(1, 5_000).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole)))


@given(COUNTS)
def test_the_interval_is_wilsons(count: tuple[int, int]) -> None:
    from scipy.stats import binomtest

    share = wilson(*count)
    expected = binomtest(*count).proportion_ci(0.95, "wilson")
    assert share.value == count[0] / count[1]
    assert (share.low, share.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(
    ("now", "before", "trend"),
    [
        # The first example of Newcombe's paper: 56/70 against 48/80, whose difference lies in 0.0524 .. 0.3339.
        ((56, 70), (48, 80), "up"),
        ((48, 80), (56, 70), "down"),
        # His second, 9/10 against 3/10: 0.1705 .. 0.8090.
        ((9, 10), (3, 10), "up"),
        ((50, 100), (45, 100), "no clear change"),
        ((0, 10), (0, 20), "no clear change"),
    ],
)
def test_a_change_is_told_where_the_difference_leaves_zero_out(
    now: tuple[int, int], before: tuple[int, int], trend: str
) -> None:
    assert change(wilson(*now), wilson(*before)) == trend


@given(COUNTS, COUNTS)
def test_what_went_up_went_down_the_other_way(one: tuple[int, int], other: tuple[int, int]) -> None:
    opposite = {"up": "down", "down": "up", "no clear change": "no clear change"}
    assert change(wilson(*one), wilson(*other)) == opposite[change(wilson(*other), wilson(*one))]
