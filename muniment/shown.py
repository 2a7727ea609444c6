"""Showing an index besides what a question finds: a chunk between its neighbours, what is indexed, what disagrees."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from muniment.described import describe
from muniment.disputes import disputes_by_source, disputes_of
from muniment.freshness import compare
from muniment.store.reader import Filter
from schemas.generations import Generation
from schemas.shown import (
    Chunk,
    DriftReply,
    IndexStatus,
    KeptGeneration,
    LastNight,
    ReadChunk,
    SourceClaims,
    SourceStatus,
)

if TYPE_CHECKING:
    from muniment.store.reader import Reader

T = TypeVar("T")
VERDICTS = ("agrees", "disagrees", "unknown")


def show_chunk(reader: Reader, chunk_id: str, before: int = 0, after: int = 0) -> ReadChunk | None:
    """The chunk, with as many of those before and after it in its document; None where there is no such chunk."""
    named = [row["doc_id"] for row in reader.chunks_by_id([chunk_id], ["doc_id"]).to_pylist()]
    if not named:
        return None
    table = reader.chunks(columns_of(Chunk), Filter(doc_ids=tuple(named)))
    by_line = table.sort_by([("line_start", "ascending"), ("line_end", "ascending"), ("chunk_id", "ascending")])
    chunks = [Chunk(**row) for row in by_line.to_pylist()]
    place = next(n for n, chunk in enumerate(chunks) if chunk.chunk_id == chunk_id)
    chunk = chunks[place]
    return shown_as(
        ReadChunk,
        chunk,
        **compare(reader, [(chunk.source, chunk.path)]).of(chunk),
        generation=reader.generation.number,
        disputes=disputes_of(reader, chunk),
        **describe(reader, [chunk])(chunk),
        before=tuple(chunks[max(place - before, 0) : place]),
        after=tuple(chunks[place + 1 : place + 1 + after]),
    )


def show_status(generation: Generation, kept: Iterable[Generation], running: str = "") -> IndexStatus:
    """What the generation holds, beside which others; `running` is the id of a run that this process has under way."""
    age = datetime.now(UTC) - datetime.fromisoformat(generation.published_at)
    return shown_as(
        IndexStatus,
        generation,
        sources={name: shown_as(SourceStatus, state) for name, state in generation.sources.items()},
        kept=tuple(KeptGeneration(one.number, one.published_at) for one in kept),
        age_s=round(age.total_seconds(), 1),
        running=running,
    )


def show_drift(reader: Reader, reports: Path) -> DriftReply:
    """The claims of the reader's generation that disagree, and what the last night found."""
    from muniment.report.write import PAGES

    return DriftReply(reader.generation.number, _claims(reader), _last_night(reports / PAGES["document"]))


def shown_as(kind: type[T], record: Any, **more: Any) -> T:
    """A reply with the record's fields of the same names, and the others as given."""
    names = [field.name for field in fields(kind) if field.name not in more]  # type: ignore[arg-type]  # a dataclass
    return kind(**{name: getattr(record, name) for name in names}, **more)


def columns_of(kind: type[Any]) -> list[str]:
    """The columns that a reply is a row of."""
    return [field.name for field in fields(kind)]


def _claims(reader: Reader) -> tuple[SourceClaims, ...]:
    verdicts = Counter(zip(*reader.rows("claims", ["source", "verdict"]).to_pydict().values(), strict=True))
    disputes = disputes_by_source(reader)
    return tuple(
        SourceClaims(name, {verdict: verdicts[name, verdict] for verdict in VERDICTS}, tuple(disputes.get(name, ())))
        for name in reader.generation.sources
    )


def _last_night(report: Path) -> LastNight | None:
    from pydantic import TypeAdapter, ValidationError

    try:
        kept = json.loads(report.read_text(encoding="utf-8"))
        known: LastNight = TypeAdapter(LastNight).validate_python({name: kept[name] for name in columns_of(LastNight)})
        return known
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None
