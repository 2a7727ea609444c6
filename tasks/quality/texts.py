"""Measures of a chunk's text: its hashes, its lines, and the section it is filed under."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tasks.chunk.sections import SECTIONS
from tasks.embed import embed_hash
from tasks.identify import text_hash

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 8_192
"""Texts become Python strings so many at a time, which keeps memory flat."""


def check_texts(chunks: pa.Table, lines: Any) -> dict[str, Any]:
    """Measured columns of the texts; `lines` is how many lines each chunk's range has, null or under 1 where wrong."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = chunks["text"]
    held = pc.add(pc.cast(pc.count_substring(text, "\n"), lines.type), pa.scalar(1, lines.type))
    several = pc.if_else(pc.greater(lines, pa.scalar(0)), lines, pa.scalar(None, lines.type))
    return {
        "text_fills_lines": pc.equal(held, several),
        "text_not_blank": pc.not_equal(pc.utf8_trim_whitespace(text), pa.scalar("")),
        "text_hash_matches": _each(chunks, ("text", "text_hash"), _is_text_hash),
        "embed_hash_matches": _each(chunks, ("context", "text", "embed_hash"), _is_embed_hash),
        "section_known": _each(chunks, ("section", "heading_path"), _is_section),
    }


def _each(table: pa.Table, names: tuple[str, ...], holds: Callable[..., bool]) -> Any:
    """A boolean for each row; null where any of these columns is null."""
    import pyarrow as pa

    found: list[bool | None] = []
    for batch in table.select(list(names)).to_batches(max_chunksize=ROWS_AT_ONCE):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        found += [None if None in row else holds(*row) for row in rows]
    return pa.chunked_array([pa.array(found, pa.bool_())])


def _is_text_hash(text: str, stored: str) -> bool:
    return text_hash(text) == stored


def _is_embed_hash(context: str, text: str, stored: str) -> bool:
    return embed_hash(context, text) == stored


def _is_section(section: str, heading_path: str) -> bool:
    # Between separators: a heading may hold one itself.
    return not section or section in SECTIONS or f" > {section} > " in f" > {heading_path} > "
