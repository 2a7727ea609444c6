"""The gate: what a run has cut and embedded is checked before it is published; rows that are wrong stop the run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from tasks.chunk.files import Chunked


def check_chunks(chunked: Sequence[Chunked]) -> None:
    """Raises Refused where a changed document or one of its chunks breaks a blocking expectation."""
    import pyarrow as pa

    if chunked:
        tables = {
            "documents": pa.concat_tables([cut.documents for cut in chunked]),
            "chunks": pa.concat_tables([cut.chunks for cut in chunked]),
        }
        _refuse(tables, 0)


def check_vectors(chunks: pa.Table, dimension: int) -> None:
    """Raises Refused where a chunk that has just got its vector breaks a blocking expectation."""
    if chunks.num_rows:
        _refuse({"chunks": chunks}, dimension)


def _refuse(tables: dict[str, pa.Table], dimension: int) -> None:
    from tasks.quality.check import check_before_publish, refuse_faults
    from tasks.quality.measures import Facts

    refuse_faults(check_before_publish(tables, Facts(datetime.now(UTC), dimension)))
