"""Measures of a chunk's vector: finite, of which length, and the same as that of an equal text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

NEAR = 1e-3
"""Cosine distance from which on two vectors count as different: batches of other sizes round in other ways."""


def check_vectors(chunks: pa.Table) -> dict[str, Any]:
    """Measured columns of the vectors, all null where there is none yet.

    `vector_norm` is null for vectors that are not finite, and `like_its_twin` for texts that stand only once.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = chunks["vector"]
    lengths = [_lengths(piece) for piece in column.chunks]
    norms = np.concatenate(lengths) if lengths else np.empty(0)
    pending = np.asarray(pc.is_null(column), bool)
    finite = np.isfinite(norms)
    return {
        "vector_finite": pa.array(finite, mask=pending),
        "vector_norm": pa.array(norms, mask=pending | ~finite),
        "like_its_twin": _twins(chunks),
    }


def _lengths(piece: Any) -> NDArray[np.float64]:
    """The length of each vector of an Arrow array: not finite exactly where one of its numbers is not; nan for null."""
    lengths = np.full(len(piece), np.nan)
    there = piece.is_valid().to_numpy(zero_copy_only=False)
    rows = piece.flatten().to_numpy(zero_copy_only=False).reshape(int(there.sum()), piece.type.list_size)
    with np.errstate(invalid="ignore"):
        # In double precision, where the square of the largest float32 is still finite.
        lengths[there] = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    return lengths


def _twins(chunks: pa.Table) -> Any:
    """Whether a vector is near that of the first chunk with the same embedded text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hashes = chunks["embed_hash"].combine_chunks()
    first = np.asarray(pc.index_in(hashes, hashes))
    rows = np.arange(len(hashes))
    later = np.flatnonzero(first != rows)
    same = np.zeros(len(hashes), bool)
    known = np.zeros(len(hashes), bool)
    if len(later):
        own, twin = (chunks["vector"].take(places) for places in (later, first[later]))
        known[later] = np.asarray(pc.and_(pc.is_valid(own), pc.is_valid(twin)))
        there = pa.array(known[later])
        same[later[known[later]]] = _near(own.filter(there), twin.filter(there))
    return pa.array(same, mask=~known)


def _near(own: Any, twin: Any) -> NDArray[np.bool_]:
    wide = own.type.list_size
    left, right = (c.combine_chunks().flatten().to_numpy(zero_copy_only=False).reshape(-1, wide) for c in (own, twin))
    with np.errstate(invalid="ignore", divide="ignore"):
        across = np.einsum("ij,ij->i", left, right, dtype=np.float64)
        cosine = across / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    # Not "near enough": a vector that is not finite or has no length is told of by another expectation.
    different: NDArray[np.bool_] = 1 - cosine >= NEAR
    return ~different
