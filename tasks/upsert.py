"""The upsert step: what changed goes into the writer's tables, and vectors go to the chunks that wait for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from muniment.embedders.changed import ModelChanged, check_model
from muniment.errors import ProviderError
from muniment.inert import one_line
from schemas.columns import CHUNKS, SKIPPED, arrow_schema
from schemas.files import Skipped
from schemas.stated import SHOWN
from tasks.changes import Changes
from tasks.chunk.files import Chunked
from tasks.embed import embedded_text, known_text
from tasks.identify import doc_id
from tasks.quality.gate import check_vectors

if TYPE_CHECKING:
    import pyarrow as pa

    from muniment.embedders import Embedder
    from muniment.store.writer import Writer


FILL_ROWS = 20_000
"""Chunks that are read and written at a time when they get their vectors."""
_WITHOUT_VECTOR = [column.name for column in CHUNKS if column.type != "vector"]


@dataclass(frozen=True, slots=True)
class Upserted:
    """What one upsert wrote."""

    chunks: int
    from_cache: int
    """Texts that got their vector from the cache."""


def upsert_changes(writer: Writer, changes: Sequence[Changes], chunked: Sequence[Chunked]) -> Upserted:
    """Replaces changed documents and drops gone ones, all sources in one commit a table.

    Chunks whose text was embedded before get that vector; the others wait with null.
    """
    import pyarrow as pa

    work = list(zip(changes, chunked, strict=True))
    replaced = [identity for pair in work for identity in _replaced(*pair)]
    hollow = [row for pair in work for row in _hollow_rows(*pair)]
    documents = pa.concat_tables([cut.documents for cut in chunked])
    chunks = pa.concat_tables([cut.chunks for cut in chunked])
    chunks, from_cache = _with_known_vectors(writer, chunks)
    writer.upsert(documents, chunks, pa.Table.from_pylist(hollow, arrow_schema(SKIPPED)), replaced)
    return Upserted(chunks.num_rows, from_cache)


def find_waiting(writer: Writer) -> pa.Table:
    """Where to read each text that has no vector: columns embed_hash and chunk_id, each text once, the shortest first.

    The length stands for the work: a batch of like texts pads little.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = ["embed_hash", "chunk_id", "context", "text"]
    measured = []
    for batch in writer.pending_batches(columns):
        context, text = (cast("pa.StringArray", batch[name]) for name in columns[2:])
        chars = pc.add(pc.utf8_length(context), pc.utf8_length(text))
        measured.append(batch.select(columns[:2]).append_column("chars", chars))
    if not measured:
        return arrow_schema(CHUNKS).empty_table().select(columns[:2])
    each = pa.Table.from_batches(measured).group_by("embed_hash").aggregate([("chunk_id", "min"), ("chars", "min")])
    ordered = each.sort_by([("chars_min", "ascending"), ("embed_hash", "ascending")])
    return ordered.select(["embed_hash", "chunk_id_min"]).rename_columns(columns[:2])


def read_texts(writer: Writer, waiting: pa.Table) -> dict[str, str]:
    """Embed hash -> text, of rows of `find_waiting`, in their order."""
    rows = writer.chunks_of(waiting["chunk_id"], ["embed_hash", "context", "text"])
    texts = {
        found: embedded_text(context, text)
        for found, context, text in zip(*(column.to_pylist() for column in rows.columns), strict=True)
    }
    wanted: list[Any] = waiting["embed_hash"].to_pylist()
    return {found: texts[found] for found in wanted}


def places_of(writer: Writer, hashes: Collection[str]) -> dict[str, str]:
    """Embed hash -> `path:line` of the first waiting chunk that has this text, and that everybody may hear of."""
    if not hashes:
        return {}
    waiting = writer.pending(["embed_hash", "path", "line_start", "sensitivity"]).sort_by([("path", "ascending")])
    places: dict[str, str] = {}
    for found, path, line, sensitivity in zip(*(column.to_pylist() for column in waiting.columns), strict=True):
        if found in hashes and sensitivity in SHOWN:
            places.setdefault(found, one_line(f"{path}:{line}"))
    return places


def forget_changed(writer: Writer, embedder: Embedder) -> bool:
    """Whether the model has changed under its name, by what is published; its old vectors are then kept no longer."""
    known = known_text(writer.embedded(published=True))
    if known is None:
        return False
    try:
        check_model(embedder, known)
    except ModelChanged:
        writer.forget()
        return True
    except ProviderError:  # it does not say now: whatever is embedded later is checked as well
        return False
    return False


def fill_vectors(writer: Writer) -> int:
    """Gives waiting chunks the vectors that have been computed since; returns how many still wait.

    Raises Refused for a vector that is none.
    """
    import pyarrow.compute as pc

    if not writer.dimension:
        return 0
    waiting, filled = writer.pending(["chunk_id"])["chunk_id"], 0
    for start in range(0, len(waiting), FILL_ROWS):
        rows = writer.chunks_of(waiting.slice(start, FILL_ROWS), _WITHOUT_VECTOR)
        rows, _ = _with_known_vectors(writer, rows)
        ready = rows.filter(pc.is_valid(rows["vector"]))
        check_vectors(ready, writer.dimension)
        writer.fill(ready)
        filled += ready.num_rows
    return len(waiting) - filled


def _with_known_vectors(writer: Writer, chunks: pa.Table) -> tuple[pa.Table, int]:
    """The rows with their vector column, and how many texts were found in the cache."""
    import pyarrow as pa

    schema = arrow_schema(CHUNKS, writer.dimension)
    if not writer.dimension:
        return chunks.cast(schema), 0
    known = writer.cached(chunks["embed_hash"].combine_chunks().unique())
    place = {found: row for row, found in enumerate(known["embed_hash"].to_pylist())}
    places = pa.array([place.get(found) for found in chunks["embed_hash"].to_pylist()], pa.int64())
    vectors = known["vector"].combine_chunks().take(places)
    return chunks.append_column(schema.field("vector"), vectors).cast(schema), known.num_rows


def _replaced(changes: Changes, chunked: Chunked) -> list[str]:
    """Ids of everything that stood under a path that changed or is gone, skipped files included."""
    same = set(chunked.unchanged)
    paths = {entry.path for entry, _ in changes.changed if entry.path not in same}
    paths.update(changes.gone, changes.forgotten)
    return [doc_id(changes.listed.source.name, path) for path in sorted(paths)]


def _hollow_rows(changes: Changes, chunked: Chunked) -> list[dict[str, str]]:
    """Rows for files that had to be read to be skipped, so that the next run need not read them again."""
    name = changes.listed.source.name
    fresh = [*chunked.skipped, *changes.hollow]
    return [_hollow_row(name, skipped) for skipped in fresh if skipped.content_id and skipped.reason != "too large"]


def _hollow_row(source: str, skipped: Skipped) -> dict[str, str]:
    return {
        "doc_id": doc_id(source, skipped.path),
        "source": source,
        "path": skipped.path,
        "content_id": skipped.content_id,
        "reason": skipped.reason,
        "detail": skipped.detail,
    }
