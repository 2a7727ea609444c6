"""`muniment repair` makes again what is damaged and no more, and the index is as if nothing had happened to it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.muniment.verify.damage import files_of, flip, republish
from tests.muniment.verify.test_flips import FLIPS, SEED
from tests.muniment.verify.test_verify import ROWS
from tests.muniment.verify.whole import assert_equal, everything, told

Muniment = Callable[..., Ran]


def mended(muniment: Muniment, home: Path) -> dict[str, Any]:
    """What a repair says that it made, when it could."""
    ran = muniment("repair", "--json")
    assert ran.code == 0, ran.json["after"]
    assert ran.json["run"] is None, ran.json["done"]
    assert muniment("verify", "--deep").code == 0
    made: dict[str, Any] = ran.json["made"]
    return made


@pytest.mark.parametrize("number", range(FLIPS))
def test_a_flipped_bit_leaves_no_trace(muniment: Muniment, home: Path, number: int) -> None:
    """The 25 flips that a deep verification finds: every row is what it was."""
    draw = random.Random(SEED)
    paths = [home / "index" / name for name in files_of(home)]
    sizes = [path.stat().st_size for path in paths]
    drawn = draw.choices(paths, sizes, k=FLIPS)
    bits = [draw.randrange(8 * path.stat().st_size) for path in drawn]
    before, said = everything(home), told(home)
    flip(drawn[number], bits[number])
    made = mended(muniment, home)
    assert made["embedded"] == 0
    assert_equal(everything(home), before, made["tables"])
    assert told(home) == said


@pytest.mark.parametrize("row", ROWS)
def test_a_damaged_row_leaves_no_trace(muniment: Muniment, home: Path, row: str) -> None:
    before, said = everything(home), told(home)
    table, change, _ = ROWS[row]
    republish(home, table, change)
    made = mended(muniment, home)
    assert made["embedded"] == 0
    assert_equal(everything(home), before, made["tables"])
    assert told(home) == said
