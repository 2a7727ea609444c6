"""`muniment verify --deep`: a single bit that is not what it was, anywhere in what readers use."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.generation import history_files
from tests.conftest import Ran
from tests.muniment.verify.damage import current, files_of, flip, republish

Muniment = Callable[..., Ran]
FLIPS = 25
SEED = 20261201


def test_each_of_25_flipped_bits_is_found_and_named(muniment: Muniment, home: Path) -> None:
    """Over all bytes alike: most of them lie in the largest files."""
    draw = random.Random(SEED)
    paths = [home / "index" / name for name in files_of(home)]
    sizes = [path.stat().st_size for path in paths]
    for path in draw.choices(paths, sizes, k=FLIPS):
        _flip_and_look(muniment, home, path, draw.randrange(8 * path.stat().st_size))


@pytest.mark.slow
def test_a_flipped_bit_in_each_file_is_found_and_named(muniment: Muniment, home: Path) -> None:
    draw = random.Random(SEED)
    for path in [home / "index" / name for name in files_of(home)]:
        _flip_and_look(muniment, home, path, draw.randrange(8 * path.stat().st_size))


def _flip_and_look(muniment: Muniment, home: Path, path: Path, bit: int) -> None:
    flip(path, bit)
    ran = muniment("verify", "--deep", "--json")
    name = path.relative_to(home / "index").as_posix()
    # The list of files is named with its whole path, as it is when it can't be read at all.
    named = {finding["place"] for finding in ran.json["findings"]} | {str(f["said"]) for f in ran.json["findings"]}
    assert ran.code == 1, (name, bit)
    assert any(name in one for one in named), (name, bit, named)
    assert all(finding["mend"] == "muniment repair" for finding in ran.json["findings"])
    flip(path, bit)


def test_a_flipped_bit_that_only_an_earlier_generation_is_read_from_is_found(muniment: Muniment, home: Path) -> None:
    before = set(files_of(home))
    republish(home, "documents", lambda table: table.delete("path = 'README.md'"))
    (only_earlier,) = [name for name in before - set(files_of(home)) if "/data/" in name and "documents_" in name]
    assert len(history_files(home / "index")) == 3
    flip(home / "index" / only_earlier, 999)
    found = muniment("verify", "--deep", "--json").json["findings"]
    (damaged,) = [finding for finding in found if finding["place"] == only_earlier]
    assert damaged["said"] == f"is not what was written: its checksum differs (generation {current(home).number - 1})"
