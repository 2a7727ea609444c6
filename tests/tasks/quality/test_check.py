"""The quick check: before publication, on changed rows, and its tests against what they say in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import Refused
from schemas.expectations import Holds, NotNull, OneOf, Unique, Within
from tasks.quality.check import check_before_publish, offenders, refuse_faults
from tasks.quality.measures import Facts
from tests.tasks.quality.world import World
from tests.test_house import loaded_by

WORDS = st.lists(st.none() | st.sampled_from(["a", "b", "c", ""]), max_size=12)
NUMBERS = st.lists(st.none() | st.integers(-3, 3), max_size=12)


def changed_rows(world: World, path: str) -> dict[str, pa.Table]:
    """What a run hands on after it cut one changed document: its rows, without vectors."""
    tables = {}
    for name in ("documents", "chunks"):
        own = pa.array([found == path for found in world.tables[name]["path"].to_pylist()])
        tables[name] = world.tables[name].filter(own)
    return tables | {"chunks": tables["chunks"].drop_columns(["vector"])}


def test_rows_of_one_changed_document_pass_alone(sound: World) -> None:
    rows = changed_rows(sound, "README.md")
    found = check_before_publish(rows, Facts(sound.now, 0))
    assert found.ok
    assert found.rows == {"documents": 1, "chunks": 8}
    assert {one.severity for one in found.outcomes} == {"blocking"}
    refuse_faults(found)


def test_a_blocking_fault_refuses_publication(sound: World) -> None:
    rows = changed_rows(sound.put("chunks", 1, text_hash="0" * 64), "README.md")
    found = check_before_publish(rows, Facts(sound.now, 0))
    with pytest.raises(Refused) as refused:
        refuse_faults(found)
    assert refused.value.message == (
        "not published: in chunks, expected that text_hash is the SHA-256 of text; not so in 1 of 8 rows"
        " (ops:README.md:11)"
    )


def test_a_warning_does_not_keep_from_publication(sound: World) -> None:
    world = sound.put("claims", verdict="disagrees")
    found = check_before_publish(world.tables, Facts(world.now, world.generation.dimension))
    refuse_faults(found)
    assert found.ok


def test_whole_tables_are_checked_with_their_vectors(sound: World) -> None:
    world = sound.vector(0, lambda old: old * 2)
    found = check_before_publish(world.tables, Facts(world.now, world.generation.dimension))
    assert [one.name for one in found.failed] == ["vector_length_one"]


@given(WORDS)
def test_not_null_is_what_has_a_value(values: list[str | None]) -> None:
    assert mask(NotNull("x"), values, pa.string()) == [value is None for value in values]


@given(WORDS)
def test_unique_is_what_stands_once(values: list[str | None]) -> None:
    counts = Counter(values)
    assert mask(Unique("x"), values, pa.string()) == [value is not None and counts[value] > 1 for value in values]


@given(WORDS, st.lists(st.sampled_from(["a", "b", ""]), unique=True))
def test_one_of_is_membership(values: list[str | None], known: list[str]) -> None:
    expected = [value is not None and value not in known for value in values]
    assert mask(OneOf("x", tuple(known)), values, pa.string()) == expected


@given(NUMBERS, st.none() | st.integers(-3, 3), st.none() | st.integers(-3, 3))
def test_within_includes_its_ends(values: list[int | None], low: int | None, high: int | None) -> None:
    expected = [
        value is not None and ((low is not None and value < low) or (high is not None and value > high))
        for value in values
    ]
    assert mask(Within("x", low, high), values, pa.int32()) == expected


@given(st.lists(st.none() | st.booleans(), max_size=12))
def test_holds_is_what_is_not_false(values: list[bool | None]) -> None:
    assert mask(Holds("x"), values, pa.bool_()) == [value is False for value in values]


def mask(test: NotNull | Unique | OneOf | Within | Holds, values: Sequence[object], kind: pa.DataType) -> list[object]:
    column = pa.chunked_array([pa.array(values[:3], kind), pa.array(values[3:], kind)])
    found: list[object] = offenders(test, column).to_pylist()
    return found


def test_the_quick_check_needs_no_heavy_library() -> None:
    assert not loaded_by("import tasks.quality.check") & {"great_expectations", "pandas", "lancedb"}
