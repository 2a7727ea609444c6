"""One fault for each expectation, and what else it breaks because it can't be otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from schemas.columns import TABLES
from tasks.identify import doc_id, text_hash
from tests.tasks.quality.world import World

Break = Callable[[World], World]


@dataclass(frozen=True, slots=True)
class Fault:
    """A way to break a sound world."""

    breaks: str
    """The expectation that is there to catch it, as table.name."""
    change: Break
    also: tuple[str, ...] = ()


def put(table: str, row: int = 0, **values: Any) -> Break:
    """Other values in one row."""
    return lambda world: world.put(table, row, **values)


def of_generation(**values: Any) -> Break:
    """Another thing said by the generation's pointer."""
    return lambda world: replace(world, generation=world.generation._replace(**values))


def of_source(**values: Any) -> Break:
    """Another thing known of the source."""
    return lambda world: replace(world, source=replace(world.source, **values))


def _retyped(world: World) -> World:
    documents = world.tables["documents"]
    place = documents.column_names.index("chunk_count")
    return world.having(
        "documents", documents.set_column(place, "chunk_count", documents["chunk_count"].cast(pa.int64()))
    )


def _orphans(world: World) -> World:
    documents = world.tables["documents"]
    return world.having("documents", documents.filter(pa.array([False] + [True] * (len(documents) - 1))))


def _other_model(world: World) -> World:
    """A second chunk with the first one's words, and a vector that its model would not have made of them."""
    words = {name: world.row("chunks", name) for name in ("context", "text", "embed_hash", "text_hash")}
    lines = {"line_start": world.row("chunks", "line_start", 1)}
    lines["line_end"] = lines["line_start"] + words["text"].count("\n")
    return world.put("chunks", 1, **words, **lines)


def _blank(world: World) -> World:
    text = "\n".join([" "] * (world.row("chunks", "line_end") - world.row("chunks", "line_start") + 1))
    return world.put("chunks", text=text, text_hash=text_hash(text))


def _one_line_less(world: World) -> World:
    return world.put("chunks", line_end=world.row("chunks", "line_end") - 1)


def _no_lines(world: World) -> World:
    return world.put("chunks", line_end=world.row("chunks", "line_start") - 1)


def _moved(by: int) -> Break:
    def change(world: World) -> World:
        lines = {name: world.row("chunks", name) + by for name in ("line_start", "line_end")}
        return world.put("chunks", **lines)

    return change


def _long_line(world: World) -> World:
    return world.put("claims", line=world.row("documents", "size", 1) + 1)


def _moved_on_a_week_ago(world: World) -> World:
    return replace(of_source(current=False)(world), now=world.now + timedelta(days=7))


def _dead(*, configured: bool) -> Break:
    """All canaries of one kind find nothing."""
    return lambda world: replace(
        world, asked=tuple((one, lives and one.configured != configured) for one, lives in world.asked)
    )


def _escaping(path: str) -> Break:
    """A document, with its only chunk, under a path that no source lists."""

    def change(world: World) -> World:
        own = doc_id("ops", "scripts/lib-lock.sh")
        for table in ("documents", "chunks"):
            world = world.put(table, world.tables[table]["doc_id"].to_pylist().index(own), path=path)
        return world

    return change


FAULTS: tuple[Fault, ...] = (
    Fault("columns.as_declared", _retyped),
    Fault("documents.kind_known", put("documents", kind="novel"), ("documents.type_is_kind", "chunks.like_document")),
    Fault("documents.type_is_kind", put("documents", type="Intel"), ("chunks.like_document",)),
    *(Fault("documents.path_inside", _escaping(path)) for path in ("../a", "/etc/passwd", "a/../../b", "a//b", ".")),
    Fault("documents.size_positive", put("documents", 4, size=0), ("chunks.lines_inside_file",)),
    Fault("documents.sensitivity_known", put("documents", sensitivity="hush")),
    Fault("documents.chunk_count_holds", put("documents", chunk_count=99)),
    Fault(
        "documents.indexed_in_the_past",
        lambda world: world.put("documents", indexed_at=world.now + timedelta(hours=2)),
    ),
    Fault("chunks.has_document", _orphans, ("sources.counted",)),
    Fault("chunks.like_document", put("chunks", kind="doc", type="doc")),
    Fault("chunks.kind_known", put("chunks", kind="novel"), ("chunks.like_document",)),
    Fault("chunks.section_known", put("chunks", section="Elsewhere")),
    Fault("chunks.ordinal_counts", put("chunks", ordinal=-1)),
    Fault("chunks.line_start_positive", _moved(by=-1)),
    Fault("chunks.lines_in_order", _no_lines),
    Fault("chunks.lines_inside_file", _moved(by=100_000)),
    Fault("chunks.text_fills_lines", _one_line_less),
    Fault("chunks.text_not_blank", _blank, ("chunks.embed_hash_matches",)),
    Fault("chunks.text_hash_matches", put("chunks", text_hash="0" * 64)),
    Fault("chunks.embed_hash_matches", put("chunks", embed_hash="0" * 64)),
    Fault("chunks.tokens_counted", put("chunks", tokens=-1)),
    Fault("chunks.tokens_under_cap", put("chunks", tokens=257)),
    Fault("chunks.vector_finite", lambda world: world.vector(2, lambda old: np.append(old[1:], np.nan))),
    Fault("chunks.vector_finite", lambda world: world.vector(3, lambda old: np.append(old[1:], np.inf))),
    Fault("chunks.vector_length_one", lambda world: world.vector(4, lambda old: old * 2)),
    Fault("chunks.vector_length_one", lambda world: world.vector(5, np.zeros_like)),
    Fault("chunks.one_text_one_vector", _other_model),
    Fault("skipped.reason_known", put("skipped", reason="a whim")),
    Fault("claims.verdict_known", put("claims", verdict="perhaps")),
    Fault("claims.line_positive", put("claims", line=0)),
    Fault("claims.line_inside_file", _long_line),
    Fault("claims.truth_line_counts", put("claims", truth_line=-1), ("claims.truth_named",)),
    Fault("claims.truth_named", put("claims", truth_path="")),
    Fault(
        "claims.seen_in_order",
        lambda world: world.put("claims", last_seen=world.row("claims", "first_seen") - timedelta(days=1)),
    ),
    Fault("claims.no_disagreement", put("claims", verdict="disagrees")),
    Fault("effectiveness.by_known", put("effectiveness", by="colour")),
    Fault("effectiveness.trend_known", put("effectiveness", trend="sideways")),
    Fault("effectiveness.window_positive", put("effectiveness", window_hours=0)),
    Fault("effectiveness.used_within_assembled", put("effectiveness", 1, used=4)),
    Fault("effectiveness.ratio_holds", put("effectiveness", ratio=0.3)),
    Fault("effectiveness.interval_holds", put("effectiveness", low=0.26)),
    Fault("effectiveness.interval_holds", put("effectiveness", high=1.2)),
    Fault("sources.fresh", _moved_on_a_week_ago),
    Fault("sources.documents_usual", of_source(usual={"documents": 11, "chunks": 37})),
    Fault("sources.chunks_usual", of_source(usual={"documents": 5, "chunks": 18})),
    Fault("sources.counted", lambda world: of_source(state=world.source.state._replace(chunks=36))(world)),
    Fault("generation.one_fingerprint", lambda world: replace(world, run={"fingerprint": "x", "chunker": "y"})),
    Fault("generation.pending_counted", of_generation(pending=1)),
    Fault("canaries.configured_found", _dead(configured=True)),
    Fault("canaries.titles_found", _dead(configured=False)),
)
"""Those of the rules. What the column tables say is broken by `empty_cells` and `repeated_keys`."""

STORED = ("documents", "chunks", "skipped", "claims", "effectiveness")


def empty_cells() -> list[Fault]:
    """A missing value in each column that needs one; ids that point at each other lose each other."""
    follow = {
        ("documents", "doc_id"): ("chunks.has_document", "documents.chunk_count_holds"),
        ("documents", "source"): ("sources.counted",),
        ("chunks", "doc_id"): ("chunks.has_document", "documents.chunk_count_holds"),
        ("chunks", "source"): ("sources.counted",),
    }
    needed = [
        (table, column.name)
        for table in STORED
        for column in TABLES[table]
        if not column.nullable and column.type != "vector"
    ]
    return [
        Fault(f"{table}.{name}_not_null", _emptied(table, name), follow.get((table, name), ()))
        for table, name in needed
    ]


def _emptied(table: str, column: str) -> Break:
    return lambda world: world.put(table, 0, **{column: None})


def repeated_keys() -> list[Fault]:
    """A second row with the first one's key."""
    follow = {"documents": ("chunks.has_document", "documents.chunk_count_holds")}
    return [
        Fault(f"{table}.{column.name}_unique", _repeat(table, column.name), follow.get(table, ()))
        for table in STORED
        for column in TABLES[table]
        if column.key
    ]


def _repeat(table: str, key: str) -> Break:
    return lambda world: world.put(table, 1, **{key: world.row(table, key)})


ALL_FAULTS = (*FAULTS, *empty_cells(), *repeated_keys())
