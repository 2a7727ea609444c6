"""Our own checks of vectors, whoever made them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from muniment.embedders.validate import check_vectors, unit_vectors
from muniment.errors import ProviderReply

MATRICES = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(1, 6)),
    elements=st.floats(allow_nan=False, allow_infinity=False),
)


@given(MATRICES)
def test_what_passes_is_of_unit_length_and_direction_kept(matrix: np.ndarray) -> None:
    if not np.abs(matrix).max(axis=1).all():
        with pytest.raises(ProviderReply, match="zeros"):
            check_vectors(matrix.tolist(), len(matrix), 0, "it")
        return
    units = check_vectors(matrix.tolist(), len(matrix), matrix.shape[1], "it")
    assert units.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(units, axis=1), 1.0, atol=1e-5)
    largest = np.abs(matrix).argmax(axis=1)
    picked = np.arange(len(matrix)), largest
    assert (np.sign(units[picked]) == np.sign(matrix[picked])).all()


@given(MATRICES, st.data())
def test_one_number_that_is_none_spoils_the_batch(matrix: np.ndarray, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, matrix.shape[0] - 1))
    column = data.draw(st.integers(0, matrix.shape[1] - 1))
    matrix[row, column] = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    with pytest.raises(ProviderReply, match="NaN or infinity"):
        unit_vectors(matrix, "it")


@pytest.mark.parametrize(
    "rows",
    [None, "vectors", {"0": [1.0]}, 1.0, [[1.0], [1.0, 2.0]], [[]], ["11"], [[True]], [[10**30]], [["1.0"]], [[None]]],
)
def test_anything_but_rows_of_numbers_is_refused(rows: object) -> None:
    count = len(rows) if isinstance(rows, list) else 1
    with pytest.raises(ProviderReply, match=r"^the model returned"):
        check_vectors(rows, count, 0, "the model")
