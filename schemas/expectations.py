"""What is expected of every table: made from the column tables, and one row for each rule besides.

Plain data. Two executors read it: `tasks/quality/check.py`, cheap and part of every index run, and
`tasks/quality/validate.py`, which lets Great Expectations do it and writes the pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from schemas.chunks import KINDS
from schemas.claims import Verdict
from schemas.columns import TABLES, Column
from schemas.effectiveness import BYS, Trend
from schemas.files import SKIP_REASONS
from schemas.quality import Severity
from schemas.stated import SENSITIVITIES

UNIT = 0.001
"""How far from one a vector's length may be: float32, and models that round."""
TITLES_FOUND = 0.8
"""Two healthy repositories and the sample corpus had 97 to 100 of 100."""


@dataclass(frozen=True, slots=True)
class NotNull:
    """Every row has a value. All other tests pass over rows without one."""

    column: str


@dataclass(frozen=True, slots=True)
class Unique:
    """No two rows have the same value."""

    column: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """Every value is one of these."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """Every value lies between the two, ends included; None leaves that side open."""

    column: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Holds:
    """Every value is true; the column is a measured one."""

    column: str


Test = NotNull | Unique | OneOf | Within | Holds


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that is expected of a table.

    Its column is one of the table's own, or one that `tasks/quality/measures.py` adds to it.
    """

    table: str
    name: str
    """Unique in its table."""
    severity: Severity
    says: str
    test: Test


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds that are not the same for every index."""

    max_tokens: int = 1_500
    max_age_days: float = 7.0
    count_low: float = 0.5
    count_high: float = 2.0


def expectations(limits: Limits) -> tuple[Expectation, ...]:
    """Everything expected, table by table: types, what the column tables say, then the rules."""
    generated = [one for table, columns in TABLES.items() for one in _from_columns(table, columns)]
    return (_TYPES, *generated, *_STORED, *_limited(limits), *_PUBLISHED)


def _from_columns(table: str, columns: tuple[Column, ...]) -> list[Expectation]:
    found = []
    for column in columns:
        if column.key:
            said = f"no two rows have the same {column.name}"
            found.append(Expectation(table, f"{column.name}_unique", "blocking", said, Unique(column.name)))
        if not column.nullable and column.type != "vector":
            said = f"every row has a value in {column.name}"
            found.append(Expectation(table, f"{column.name}_not_null", "blocking", said, NotNull(column.name)))
    return found


_TYPES = Expectation(
    "columns",
    "as_declared",
    "blocking",
    "every table has the columns, of the types, that schemas/columns.py names",
    Holds("as_declared"),
)


def _blocking(table: str, name: str, says: str, test: Test) -> Expectation:
    return Expectation(table, name, "blocking", says, test)


def _warning(table: str, name: str, says: str, test: Test) -> Expectation:
    return Expectation(table, name, "warning", says, test)


_STORED: tuple[Expectation, ...] = (
    _blocking("documents", "kind_known", "kind is one of the kinds of document", OneOf("kind", tuple(KINDS))),
    _blocking("documents", "type_is_kind", "type equals kind, but for notes", Holds("type_is_kind")),
    _blocking("documents", "path_inside", "path is relative and never leaves its source", Holds("path_inside")),
    _blocking("documents", "size_positive", "a document that has chunks has bytes", Within("size", 1)),
    _blocking(
        "documents",
        "sensitivity_known",
        "sensitivity is one of four, or unset",
        OneOf("sensitivity", ("", *SENSITIVITIES)),
    ),
    _blocking(
        "documents", "chunk_count_holds", "chunk_count is how many chunks it has, and not 0", Holds("chunk_count_holds")
    ),
    _warning("documents", "indexed_in_the_past", "indexed_at is not in the future", Within("hours_ahead", None, 1)),
    _blocking("chunks", "has_document", "no orphans: the document of every chunk is there", Holds("has_document")),
    _blocking(
        "chunks", "like_document", "source, path, kind and type are those of its document", Holds("like_document")
    ),
    _blocking("chunks", "kind_known", "kind is one of the kinds of document", OneOf("kind", tuple(KINDS))),
    _blocking(
        "chunks", "section_known", "section is empty, a known section, or a heading above it", Holds("section_known")
    ),
    _blocking("chunks", "ordinal_counts", "ordinal counts from 0", Within("ordinal", 0)),
    _blocking("chunks", "line_start_positive", "lines count from 1", Within("line_start", 1)),
    _blocking("chunks", "lines_in_order", "the last line is not before the first", Within("lines", 1)),
    _blocking(
        "chunks", "lines_inside_file", "the last line is inside the file, as far as its size tells", Holds("inside")
    ),
    _blocking("chunks", "text_fills_lines", "text has as many lines as its range", Holds("text_fills_lines")),
    _blocking("chunks", "text_not_blank", "text is more than blanks", Holds("text_not_blank")),
    _blocking("chunks", "text_hash_matches", "text_hash is the SHA-256 of text", Holds("text_hash_matches")),
    _blocking(
        "chunks", "embed_hash_matches", "embed_hash is the SHA-256 of context and text", Holds("embed_hash_matches")
    ),
    _blocking("chunks", "tokens_counted", "tokens is not negative", Within("tokens", 0)),
    _blocking("chunks", "vector_finite", "vectors hold finite numbers only", Holds("vector_finite")),
    _blocking("chunks", "vector_length_one", "vectors have length 1", Within("vector_norm", 1 - UNIT, 1 + UNIT)),
    _blocking(
        "chunks", "one_text_one_vector", "equal texts have equal vectors: one model made them", Holds("like_its_twin")
    ),
    _warning(
        "skipped", "reason_known", "reason is one of the reasons to skip a file", OneOf("reason", tuple(SKIP_REASONS))
    ),
    _blocking(
        "claims", "verdict_known", "verdict is agrees, disagrees or unknown", OneOf("verdict", get_args(Verdict))
    ),
    _blocking("claims", "line_positive", "lines count from 1", Within("line", 1)),
    _blocking(
        "claims", "line_inside_file", "the line is inside its file, as far as its size tells", Holds("line_inside")
    ),
    _blocking("claims", "truth_line_counts", "truth_line is not negative", Within("truth_line", 0)),
    _blocking("claims", "truth_named", "what agrees or disagrees names the line that decides", Holds("truth_named")),
    _blocking("claims", "seen_in_order", "last_seen is not before first_seen", Holds("seen_in_order")),
    _warning("claims", "no_disagreement", "no documented value disagrees with the real one", Holds("undisputed")),
    _blocking("effectiveness", "by_known", "by is type, kind or section", OneOf("by", BYS)),
    _blocking("effectiveness", "trend_known", "trend is one of four", OneOf("trend", get_args(Trend))),
    _blocking("effectiveness", "window_positive", "the window is at least an hour", Within("window_hours", 1)),
    _blocking("effectiveness", "used_within_assembled", "no more was used than gathered", Within("unused", 0)),
    _blocking("effectiveness", "ratio_holds", "ratio is used / assembled", Holds("ratio_holds")),
    _blocking("effectiveness", "interval_holds", "0 <= low <= ratio <= high <= 1", Holds("interval_holds")),
)


def _limited(limits: Limits) -> tuple[Expectation, ...]:
    cap = f"no chunk that could be cut has more than {limits.max_tokens} tokens"
    age = f"what moved on is indexed again within {limits.max_age_days:g} days"
    usual = f"{limits.count_low:g} to {limits.count_high:g} times the median of the last runs"
    counts = (limits.count_low, limits.count_high)
    return (
        _warning("chunks", "tokens_under_cap", cap, Within("cuttable_tokens", None, limits.max_tokens)),
        _warning("sources", "fresh", age, Within("days_behind", None, limits.max_age_days)),
        _warning("sources", "documents_usual", f"documents are {usual}", Within("documents_ratio", *counts)),
        _warning("sources", "chunks_usual", f"chunks are {usual}", Within("chunks_ratio", *counts)),
    )


_PUBLISHED: tuple[Expectation, ...] = (
    _blocking("sources", "counted", "the generation counts the documents and chunks that are there", Holds("counted")),
    _blocking(
        "generation",
        "one_fingerprint",
        "pointer, vectors and the run's own record name one fingerprint",
        Holds("one_fingerprint"),
    ),
    _blocking(
        "generation", "pending_counted", "as many chunks lack a vector as the generation says", Holds("pending_counted")
    ),
    _warning(
        "canaries",
        "configured_found",
        "each configured question finds its document in the first five",
        Holds("configured_found"),
    ),
    _warning(
        "canaries",
        "titles_found",
        f"at least {TITLES_FOUND:.0%} of titles drawn find their own document in the first five",
        Within("automatic_share", TITLES_FOUND),
    ),
)
