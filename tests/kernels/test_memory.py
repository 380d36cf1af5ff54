"""KernelRows of kernels: what compiled code and Python read are the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.kernels.memory import KernelRows

EITHER = pytest.mark.parametrize("rows", [KernelRows(True), KernelRows(False)], ids=["compiled", "Python"])
KINDS = pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint64, np.float64])


@EITHER
@KINDS
@pytest.mark.parametrize(("size", "length"), [(0, 1), (1, 1), (5, 5)])
def test_new_rows_are_zero_and_have_an_address(rows: KernelRows, kind: type, size: int, length: int) -> None:
    made = rows.zeros(size, kind)
    assert len(made) == length
    assert all(value == 0 for value in made)
    assert isinstance(made[0] / 1, float) or kind is not np.float64


@EITHER
def test_a_copy_has_the_kind_that_the_kernel_reads(rows: KernelRows) -> None:
    strided = np.arange(6, dtype=np.int64)[::2]
    strided.flags.writeable = False
    made = rows.copy(strided, np.int32)
    assert list(made) == [0, 2, 4]
    assert isinstance(made, list) or (made.dtype == np.int32 and made.flags.c_contiguous)


@EITHER
def test_what_is_written_into_a_view_is_in_the_array(rows: KernelRows) -> None:
    array = np.zeros((2, 3), np.float32)
    view = rows.view(array)
    view[1, 2] = 0.1
    assert array[1, 2] == np.float32(0.1)


def test_a_cut_of_new_rows_is_a_row_of_its_own() -> None:
    for rows in (KernelRows(True), KernelRows(False)):
        block = rows.zeros(4, np.int64)
        left, right = block[:2], block[2:]
        left[0], right[0] = 1, 2
        assert [*left, *right] == [1, 0, 2, 0]
