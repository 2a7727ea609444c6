"""Measured columns: what the expectations ask that no column says by itself, a whole table at a time.

A measure of something that is not there (a pending vector, the document of an orphan) is null, so that a fault is
reported once, by the expectation that it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from string import Formatter
from typing import TYPE_CHECKING, Any

from schemas.columns import TABLES, arrow_schema
from tasks.quality.columns import column_rows, settled
from tasks.quality.texts import check_texts
from tasks.quality.vectors import check_vectors

if TYPE_CHECKING:
    import pyarrow as pa

Columns = dict[str, Any]
"""Measured column -> Arrow array."""
KEY, PLACE = "key", "place"
"""Two columns that every measured table has besides: what tells a row apart, and where a person looks for it."""
NEAR = 1e-6
"""How far a stored ratio may be from the one computed again."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the tables are measured against."""

    now: datetime
    dimension: int
    """Width of the vectors; 0 where there are none, or none yet."""


def measure(tables: Mapping[str, pa.Table], facts: Facts) -> dict[str, pa.Table]:
    """The stored tables with their measured columns, without their vectors; and `columns`, one row for each column.

    Any of the tables may be missing: what would be measured against it is null then. A column of another type than
    declared is cast, and one that is missing or can't be cast is all null; `columns` tells of both.
    """
    whole = {name: settled(table, arrow_schema(TABLES[name], facts.dimension)) for name, table in tables.items()}
    found = {name: _measured(name, table, whole, facts) for name, table in whole.items()}
    return {"columns": column_rows(tables, facts.dimension), **found}


def _measured(name: str, table: pa.Table, whole: Mapping[str, pa.Table], facts: Facts) -> pa.Table:
    columns = _MEASURES[name](table, whole, facts) if name in _MEASURES else {}
    keys = [column.name for column in TABLES[name] if column.key]
    columns = {KEY: table[keys[0]], PLACE: _place(table, _PLACES[name])} | columns
    kept = [column.name for column in TABLES[name] if column.type != "vector"]
    measured = table.select(kept)
    for column, values in columns.items():
        measured = measured.append_column(column, values)
    return measured


_PLACES: dict[str, str] = {
    "documents": "{source}:{path}",
    "chunks": "{source}:{path}:{line_start}",
    "skipped": "{source}:{path}",
    "claims": "{source}:{path}:{line} {option} is '{documented}' here, '{actual}' at {truth_path}:{truth_line}",
    "effectiveness": "{by} {name}, {window_hours} hours",
    "embeddings": "{embed_hash}",
}
"""Table -> how a person is told which row is meant."""


def _place(table: pa.Table, wording: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    parts: list[Any] = []
    for before, column, *_ in Formatter().parse(wording):
        parts += [pa.scalar(before), *([pc.cast(table[column], pa.string())] if column else [])]
    return pc.binary_join_element_wise(*parts, "", null_handling="replace", null_replacement="")


def _documents(table: pa.Table, whole: Mapping[str, pa.Table], facts: Facts) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    path = table["path"]
    leaves = pc.match_substring_regex(path, r"(^|/)\.\.?(/|$)|//|^/|/$|^$|\x00")
    return {
        "type_is_kind": pc.or_(pc.equal(table["kind"], pa.scalar("note")), pc.equal(table["type"], table["kind"])),
        "path_inside": pc.invert(leaves),
        "chunk_count_holds": _chunks_as_counted(table, whole.get("chunks")),
        "hours_ahead": _hours_ahead(table["indexed_at"], facts.now),
    }


def _chunks_as_counted(documents: pa.Table, chunks: pa.Table | None) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if chunks is None:
        return pa.nulls(len(documents), pa.bool_())
    counted = chunks.group_by("doc_id").aggregate([([], "count_all")])
    held = counted["count_all"].take(_rows_of(documents["doc_id"], counted))
    # No chunks is no count that holds: such a file is skipped, and is no document.
    counts = pc.equal(documents["chunk_count"], held)
    return pc.if_else(pc.is_null(documents["chunk_count"]), counts, pc.fill_null(counts, pa.scalar(value=False)))


def _hours_ahead(moments: Any, now: datetime) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    ahead = pc.subtract(moments, pa.scalar(now.astimezone(UTC), moments.type))
    return pc.divide(pc.cast(pc.cast(ahead, pa.int64()), pa.float64()), 3_600e6)


def _chunks(table: pa.Table, whole: Mapping[str, pa.Table], facts: Facts) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = pc.add(pc.subtract(table["line_end"], table["line_start"]), pa.scalar(1, pa.int32()))
    cuttable = pc.if_else(pc.greater(lines, pa.scalar(1)), table["tokens"], pa.scalar(None, pa.int32()))
    measured = {"lines": lines, "cuttable_tokens": cuttable, **_against_document(table, whole.get("documents"))}
    return measured | check_texts(table, lines) | (check_vectors(table) if facts.dimension else {})


def _against_document(chunks: pa.Table, documents: pa.Table | None) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    if documents is None:
        return dict.fromkeys(("has_document", "like_document", "inside"), pa.nulls(len(chunks), pa.bool_()))
    copied = ["source", "path", "kind", "type"]
    own = documents.select(["doc_id", "size", *copied]).take(_rows_of(chunks["doc_id"], documents))
    same = [pc.equal(chunks[name], own[name]) for name in copied]
    return {
        "has_document": pc.is_valid(own["doc_id"]),
        "like_document": pc.and_(pc.and_(same[0], same[1]), pc.and_(same[2], same[3])),
        "inside": _line_inside(chunks["line_end"], own["size"]),
    }


def _rows_of(doc_ids: Any, documents: pa.Table) -> Any:
    """For each id the row that has it; null where none has."""
    import pyarrow.compute as pc

    return pc.index_in(doc_ids, documents["doc_id"].combine_chunks())


def _line_inside(line: Any, size: Any) -> Any:
    """Whether a file of so many bytes can have that line, with something on it: each line before it has its end."""
    import pyarrow.compute as pc

    return pc.less_equal(line, size)


def _claims(table: pa.Table, whole: Mapping[str, pa.Table], _facts: Facts) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    documents = whole.get("documents")
    inside = pa.nulls(len(table), pa.bool_())
    if documents is not None:
        inside = _line_inside(table["line"], documents["size"].take(_rows_of(table["doc_id"], documents)))
    named = pc.and_(pc.not_equal(table["truth_path"], pa.scalar("")), pc.greater(table["truth_line"], pa.scalar(0)))
    decided = pc.is_in(table["verdict"], pa.array(["agrees", "disagrees"]))
    return {
        "line_inside": inside,
        "truth_named": pc.or_(pc.invert(decided), named),
        "seen_in_order": pc.less_equal(table["first_seen"], table["last_seen"]),
        "undisputed": pc.not_equal(table["verdict"], pa.scalar("disagrees")),
    }


def _effectiveness(table: pa.Table, _whole: Mapping[str, pa.Table], _facts: Facts) -> Columns:
    import pyarrow as pa
    import pyarrow.compute as pc

    ratio, low, high = table["ratio"], table["low"], table["high"]
    again = pc.divide(pc.cast(table["used"], pa.float64()), pc.cast(table["assembled"], pa.float64()))
    bounds: list[Any] = [pa.scalar(0.0), low, ratio, high, pa.scalar(1.0)]
    ordered = [pc.less_equal(*pair) for pair in pairwise(bounds)]
    return {
        "unused": pc.subtract(table["assembled"], table["used"]),
        "ratio_holds": pc.less_equal(pc.abs(pc.subtract(ratio, again)), pa.scalar(NEAR)),
        "interval_holds": pc.and_(pc.and_(ordered[0], ordered[1]), pc.and_(ordered[2], ordered[3])),
    }


_MEASURES: dict[str, Callable[[pa.Table, Mapping[str, pa.Table], Facts], Columns]] = {
    "documents": _documents,
    "chunks": _chunks,
    "claims": _claims,
    "effectiveness": _effectiveness,
}
