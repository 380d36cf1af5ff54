"""Matrices of an explanation on the terminal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.show.explained import MATRIX
from vericap.results.explanation import Matrix
from vericap.show.matrix import matrix_lines


def test_terminal_marks_the_largest_number_of_each_column() -> None:
    assert [line.split() for line in matrix_lines(MATRIX)] == [
        ["a", "puppy", "$5"],
        ["dog", "0.50", "*3.25", "-1.00"],
        ["<sofa>", "*0.75", "1.00", "*2.00"],
    ]


def test_terminal_breaks_wide_matrices_into_blocks() -> None:
    words = [f"word{i}" for i in range(40)]
    lines = matrix_lines(Matrix(["dog"], words, np.arange(40.0)[None]), width=60)
    assert max(map(len, lines)) <= 60
    assert [word for line in lines[::2] for word in line.split()] == words
    assert all(line.startswith("dog") for line in lines[1::2])


def test_names_must_fit_the_numbers() -> None:
    with pytest.raises(ValueError, match="2 × 1 names"):
        Matrix(["a", "b"], ["c"], np.zeros((1, 2)))
