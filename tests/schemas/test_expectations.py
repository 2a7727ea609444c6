"""The table of expectations: made from the column tables, and nothing in it twice."""

from __future__ import annotations

from collections import Counter

import pytest

from schemas.columns import TABLES
from schemas.expectations import Limits, NotNull, Unique, expectations

ALL = expectations(Limits())


@pytest.mark.parametrize("table", TABLES)
def test_every_column_has_what_its_table_says(table: str) -> None:
    """Types are one expectation over all columns (`columns.as_declared`), proven in tests/tasks/quality."""
    own = [one.test for one in ALL if one.table == table]
    plain = [column for column in TABLES[table] if column.type != "vector"]
    assert [test.column for test in own if isinstance(test, NotNull)] == [c.name for c in plain if not c.nullable]
    assert [test.column for test in own if isinstance(test, Unique)] == [c.name for c in TABLES[table] if c.key]


def test_names_are_unique_in_their_table() -> None:
    assert max(Counter((one.table, one.name) for one in ALL).values()) == 1


def test_what_the_column_tables_say_is_blocking() -> None:
    assert {one.severity for one in ALL if isinstance(one.test, NotNull | Unique)} == {"blocking"}


def test_warnings_are_what_does_not_make_an_index_wrong() -> None:
    assert {f"{one.table}.{one.name}" for one in ALL if one.severity == "warning"} == {
        "documents.indexed_in_the_past",
        "skipped.reason_known",
        "claims.no_disagreement",
        "chunks.tokens_under_cap",
        "sources.fresh",
        "sources.documents_usual",
        "sources.chunks_usual",
        "canaries.configured_found",
        "canaries.titles_found",
    }


def test_limits_reach_the_words_and_the_tests() -> None:
    fresh = next(one for one in expectations(Limits(max_age_days=2.5)) if one.name == "fresh")
    assert fresh.says == "what moved on is indexed again within 2.5 days"
    assert getattr(fresh.test, "high") == 2.5  # noqa: B009
