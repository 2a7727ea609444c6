"""Our checks of a batch of vectors: nothing is stored that has not passed them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from muniment.embedders import Vectors
from muniment.errors import ProviderReply

HINT = "what could not be embedded stays pending; try another model if it happens again"


def check_vectors(rows: object, count: int, dimension: int, who: str) -> Vectors:
    """The rows an endpoint returned, as unit vectors: one for each text, all of one width, `dimension` unless 0.

    Raises ProviderReply, whose message begins with `who`, for anything else.
    """
    if not isinstance(rows, list | tuple):
        raise ProviderReply(f"{who} returned no list of vectors", hint=HINT)
    if len(rows) != count:
        raise ProviderReply(f"{who} returned {len(rows)} vectors for {count} texts", hint=HINT)
    arrays = [_numbers(row, who) for row in rows]
    expected = dimension or (len(arrays[0]) if arrays else 0)
    for array in arrays:
        if len(array) != expected or not expected:
            raise ProviderReply(
                f"{who} returned a vector of {len(array)} numbers where {expected or 'some'} were expected",
                hint="set embedder.dimension to the model's width and index again",
            )
    return unit_vectors(np.array(arrays, np.float64).reshape(count, expected), who)


def unit_vectors(vectors: NDArray[Any], who: str) -> Vectors:
    """The vectors at length 1, as float32.

    Raises ProviderReply when one of them is zero or holds a number that is not finite.
    """
    if not np.isfinite(vectors).all():
        raise ProviderReply(f"{who} returned a vector with NaN or infinity in it", hint=HINT)
    # In float64 and scaled first: the squares of large but finite numbers must not overflow.
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0).astype(np.float64)
    if not largest.all():
        raise ProviderReply(f"{who} returned a vector of zeros", hint=HINT)
    scaled = vectors / largest
    units: Vectors = (scaled / np.linalg.norm(scaled, axis=1, keepdims=True)).astype(np.float32)
    return units


def _numbers(row: object, who: str) -> NDArray[Any]:
    try:
        array = np.asarray(row)
    except ValueError as error:
        raise ProviderReply(f"{who} returned a vector that is not flat", hint=HINT) from error
    if array.ndim != 1 or (array.size and array.dtype.kind not in "fiu"):
        raise ProviderReply(f"{who} returned a vector that is not made of numbers", hint=HINT)
    return array
