"""How many of the keys that documentation may hold are found, in the forms in which it holds them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tasks.secrets.keys import find_keys
from tests.attack.planted import Made, bare, blocks, chosen, named, spoken, written
from tests.attack.written import AROUND, BARE, BLOCKS, BROKEN, CODE, NAMED, around_block, as_string

SEEDS = range(40, 44)
LEAST = 0.95

Planted = tuple[str, str, list[str]]
"""Its kind and form, the text, and the parts of it that nobody may see."""


def is_found(text: str, parts: list[str]) -> bool:
    """Whether every line that holds one of the parts is a line of a key."""
    doc = f"# Setup\n\nKestrel copies the archive.\n\n{text}\n\nThen restart it.\n"
    lines = {line for key in find_keys(doc) for line in range(key.start, key.end + 1)}
    wanted = {number for number, line in enumerate(doc.split("\n")) if any(part in line for part in parts)}
    assert wanted
    return wanted <= lines


def bare_ones(made: Made) -> Iterator[Planted]:
    for kind, key in bare(made).items():
        half = len(key) // 2
        for form, text in BARE.items():
            yield f"{kind}, {form}", text.format(key), [key]
        for form, text in NAMED.items():
            yield f"{kind}, {form}", text.format(name="token", key=key), [key]
        for form, text in BROKEN.items() if "://" not in key else ():
            yield f"{kind}, {form}", text.format(key[:half], key[half:]), [key[:half], key[half:]]


def named_ones(made: Made) -> Iterator[Planted]:
    for kind, (name, key) in named(made).items():
        for form, text in NAMED.items():
            if form not in CODE or " " not in name:
                yield f"{kind}, {form}", text.format(name=name, key=key), [key]


def chosen_ones(made: Made) -> Iterator[Planted]:
    for kind, (name, key) in chosen(made).items():
        for form, text in NAMED.items():
            if form not in CODE or " " not in name:
                yield f"{kind}, {form}", text.format(name=name, key=key), [key]


def placed_ones(made: Made) -> Iterator[Planted]:
    for kind, (text, key) in (spoken(made) | written(made)).items():
        for form, around in AROUND.items():
            yield f"{kind}, {form}", around_block(around, text), [key]


def private_ones(made: Made) -> Iterator[Planted]:
    for kind, block in blocks(made).items():
        body = [line for line in block.split("\n") if len(line) > 20 and " " not in line]
        for form, around in BLOCKS.items():
            yield f"{kind}, {form}", around_block(around, block), body
        for form, text in as_string(block).items():
            yield f"{kind}, {form}", text, body[:1]


@pytest.mark.parametrize("plant", [bare_ones, named_ones, chosen_ones, placed_ones, private_ones])
def test_nearly_all_planted_keys_are_found(plant: object) -> None:
    assert callable(plant)
    tried = [(what, is_found(text, parts)) for seed in SEEDS for what, text, parts in plant(Made(seed))]
    missed = [what for what, found in tried if not found]
    assert len(missed) <= (1 - LEAST) * len(tried), f"{len(missed)} of {len(tried)}: {sorted(set(missed))}"
