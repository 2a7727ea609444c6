"""What every shape of claim keeps to."""

from __future__ import annotations

import pytest

from tasks.drift.claims import SHAPES
from tests.tasks.drift.claims.examples import FOUND, NOT_FOUND, Example

FILES = [example.file for examples in (*FOUND.values(), *NOT_FOUND.values()) for example in examples]
BINDINGS = {"same line", "row", "heading", "term", "parent", "previous line", "setting"}


def of_each_shape(examples: dict[str, list[Example]]) -> list[tuple[str, Example]]:
    return [(shape, example) for shape, found in examples.items() for example in found]


def test_every_shape_has_examples() -> None:
    assert list(FOUND) == list(NOT_FOUND) == list(SHAPES)


@pytest.mark.parametrize(("shape", "example"), of_each_shape(FOUND))
def test_a_shape_finds_all_that_its_examples_claim(shape: str, example: Example) -> None:
    found = [(claim.line, claim.option, claim.documented) for claim in SHAPES[shape](example.file)]
    assert sorted(found) == sorted(example.expected)


@pytest.mark.parametrize(("shape", "example"), of_each_shape(NOT_FOUND))
def test_a_shape_finds_nothing_elsewhere(shape: str, example: Example) -> None:
    assert list(SHAPES[shape](example.file)) == []


@pytest.mark.parametrize("shape", SHAPES)
def test_a_claim_names_its_shape_and_its_place(shape: str) -> None:
    for file in FILES:
        for claim in SHAPES[shape](file):
            assert (claim.shape, claim.path) == (shape, file.path)
            assert claim.binding in BINDINGS
            assert file.lines[claim.line - 1][claim.column :][: claim.width] in (claim.documented, "")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_finds_the_same_again(shape: str) -> None:
    for file in FILES:
        assert list(SHAPES[shape](file)) == list(SHAPES[shape](file))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_without_defaults_claims_nothing(shape: str) -> None:
    for path in ("README.md", "x.py", "x.conf", "x.rst", "x.adoc", "man/x.1", "x.go", "x.sh", "values.yaml"):
        assert list(SHAPES[shape](Example(path, "# nothing\n").file)) == []
