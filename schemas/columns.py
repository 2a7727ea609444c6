"""The column tables: one source for Arrow schemas, expectation suites and the reference page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pyarrow as pa

ColumnType = Literal["string", "int32", "int64", "float64", "timestamp", "vector"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name is the Arrow field, the JSON key and the word in the docs."""

    name: str
    type: ColumnType
    description: str
    nullable: bool = False
    key: bool = False


DOCUMENTS: tuple[Column, ...] = (
    Column("doc_id", "string", "key: hash of source and path", key=True),
    Column("source", "string", "name of the source"),
    Column("path", "string", "path inside the source, with `/`; bytes that are not UTF-8 stand as `\\xNN`"),
    Column("kind", "string", "header, readme, manual, template, doc, note or record"),
    Column("type", "string", "a note's own type; for other kinds the kind"),
    Column("namespace", "string", "what a note belongs to, a mission for example", nullable=True),
    Column("title", "string", "the document's title by its own words; else its file name"),
    Column("content_id", "string", "git blob id of the bytes, in an archive with a digest of what sidecars state"),
    Column("sha256", "string", "SHA-256 of the bytes"),
    Column("size", "int64", "bytes"),
    Column("mtime_ns", "int64", "modification time of the working copy in nanoseconds; 0 for committed files"),
    Column("commit", "string", "commit at which this content was first indexed; empty outside git", nullable=True),
    Column("encoding", "string", "how the bytes were decoded: utf-8, utf-8-sig, utf-16-le, cp1252, ..."),
    Column("sensitivity", "string", "public, internal, confidential or restricted; empty where nobody says"),
    Column("doc_date", "timestamp", "the document's own date", nullable=True),
    Column("correspondent", "string", "who wrote it, or whom it was written to", nullable=True),
    Column("tags", "string", "its tags, joined by `, `", nullable=True),
    Column("chunk_count", "int32", "chunks cut from it"),
    Column(
        "secrets",
        "string",
        "lines that are left out because they look like holding a key, and its kind: `12-14 GitHub Token, ...`; empty:"
        " none; null: nobody looked",
        nullable=True,
    ),
    Column("indexed_at", "timestamp", "when this content was indexed"),
)

CHUNKS: tuple[Column, ...] = (
    Column("chunk_id", "string", "key: hash of source, path, heading path and ordinal", key=True),
    Column("doc_id", "string", "the document it is cut from"),
    Column("source", "string", "name of the source"),
    Column("path", "string", "path of the document"),
    Column("kind", "string", "kind of the document"),
    Column("type", "string", "type of the document"),
    Column("sensitivity", "string", "sensitivity of the document: readers withhold by it"),
    Column("section", "string", "PURPOSE, CONFIGURATION, ... or the top heading; empty before the first"),
    Column("title", "string", "the named paragraph, the nearest heading, or the setting"),
    Column("heading_path", "string", "all headings above, outermost first, joined by ' > '"),
    Column("ordinal", "int32", "place among the chunks with the same heading path, from 0"),
    Column("line_start", "int32", "first line, from 1"),
    Column("line_end", "int32", "last line, inclusive"),
    Column("text", "string", "exactly those lines; for headers with the comment marker stripped"),
    Column("text_hash", "string", "SHA-256 of the text"),
    Column("context", "string", "the line of titles that is embedded before the text"),
    Column("embed_hash", "string", "SHA-256 of context and text: what a cached vector is found by"),
    Column("terms", "string", "what full-text search reads: path, headings, split identifiers and the text"),
    Column("tokens", "int32", "tokens of context and text by the embedder's count"),
    Column("vector", "vector", "unit vector; null means pending and nothing else", nullable=True),
)

SKIPPED: tuple[Column, ...] = (
    Column("doc_id", "string", "key: hash of source and path", key=True),
    Column("source", "string", "name of the source"),
    Column("path", "string", "path inside the source"),
    Column("content_id", "string", "git blob id of the bytes that were looked at"),
    Column("reason", "string", "why it holds no chunk: 'no documentation', 'binary', 'too large', ..."),
    Column("detail", "string", "what was seen"),
)

EMBEDDINGS: tuple[Column, ...] = (
    Column("embed_hash", "string", "key: SHA-256 of the embedded text", key=True),
    Column("vector", "vector", "unit vector"),
    Column("vector_sum", "string", "checksum of embed_hash and vector: 16 digits of SHA-256"),
)

CLAIMS: tuple[Column, ...] = (
    Column("claim_id", "string", "key: hash of source, path, option, shape, documented value and ordinal", key=True),
    Column("doc_id", "string", "the document it stands in"),
    Column("source", "string", "name of the source"),
    Column("path", "string", "path of the document"),
    Column("line", "int32", "line of the documented value, from 1"),
    Column("option", "string", "the option, as the document spells it"),
    Column("documented", "string", "its value, as the document spells it"),
    Column("actual", "string", "its value where it is decided; empty while unknown"),
    Column("truth_path", "string", "the file that decides it; empty while unknown"),
    Column("truth_line", "int32", "line of the deciding value; 0 while unknown"),
    Column("reader", "string", "what read the deciding file: template, env, shell, yaml, ..."),
    Column("shape", "string", "what the claim was recognised by"),
    Column("verdict", "string", "agrees, disagrees or unknown"),
    Column("reason", "string", "how the two are equal, or why nothing can be said"),
    Column("first_seen", "timestamp", "the run that first saw this claim with this verdict"),
    Column("last_seen", "timestamp", "the last run that saw it"),
)

EFFECTIVENESS: tuple[Column, ...] = (
    Column("effect_id", "string", "key: hash of by, name and window", key=True),
    Column("by", "string", "what was counted apart: type, kind or section"),
    Column("name", "string", "the type, kind or section"),
    Column("window_hours", "int32", "how far back the log was read"),
    Column("assemblies", "int32", "assemblies that gathered at least one such chunk: the sample size"),
    Column("assembled", "int64", "chunks gathered"),
    Column("used", "int64", "of them, cited or reported as used"),
    Column("ratio", "float64", "used / assembled; null under 20 assemblies: not enough data", nullable=True),
    Column("low", "float64", "lower end of the 95 % Wilson interval", nullable=True),
    Column("high", "float64", "upper end of it", nullable=True),
    Column("before", "float64", "the ratio in the window before; null without enough data", nullable=True),
    Column("trend", "string", "up, down, no clear change, or not enough data"),
    Column("last_eval_at", "timestamp", "when it was computed"),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "documents": DOCUMENTS,
    "chunks": CHUNKS,
    "skipped": SKIPPED,
    "embeddings": EMBEDDINGS,
    "claims": CLAIMS,
    "effectiveness": EFFECTIVENESS,
}

# LanceDB checks new keys against concurrent writers only in a column that carries this mark.
_KEY_MARK = {b"lance-schema:unenforced-primary-key": b"true"}


def arrow_schema(columns: tuple[Column, ...], dimension: int = 0) -> pa.Schema:
    """The Arrow schema of a column table; without a dimension the vector column is left out."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "timestamp": pa.timestamp("us", tz="UTC"),
        "vector": pa.list_(pa.float32(), dimension or 1),
    }
    return pa.schema(
        pa.field(column.name, types[column.type], column.nullable, _KEY_MARK if column.key else None)
        for column in columns
        if column.type != "vector" or dimension
    )
