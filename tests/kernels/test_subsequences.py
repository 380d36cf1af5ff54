"""Lengths of common subsequences against the textbook's table."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.kernels.subsequences import common_lengths

CAPTION = st.lists(st.integers(0, 3), max_size=12)
LONG = st.lists(st.integers(0, 5), min_size=60, max_size=64)


def plain(left: list[int], right: list[int]) -> int:
    row = [0] * (len(right) + 1)
    for word in left:
        before = row
        row = [0]
        for at, other in enumerate(right):
            row.append(before[at] + 1 if word == other else max(row[at], before[at + 1]))
    return row[-1] if left or right else 1


@given(st.lists(st.tuples(CAPTION | LONG, st.lists(CAPTION | LONG, max_size=3)), max_size=4))
@example([([1] * 64, [[1] * 64, [1] * 70, [2]]), ([], [[], [0]])])
def test_lengths_by_the_table(images: list[tuple[list[int], list[list[int]]]]) -> None:
    candidates = Ragged.of([candidate for candidate, _ in images], np.int32)
    references = Ragged.of([each for _, others in images for each in others], np.int32)
    pairs = np.cumsum([0, *(len(others) for _, others in images)])
    found = common_lengths(candidates, references, pairs, np.arange(len(references)), 6)
    assert found.tolist() == [plain(candidate, other) for candidate, others in images for other in others]


def test_a_range_of_candidates_and_references_in_any_order() -> None:
    candidates, references = Ragged.of([[0, 1], [2]], np.int32), Ragged.of([[2], [0, 1]], np.int32)
    pairs, reference = np.array([0, 2, 3]), np.array([1, 0, 0])
    assert common_lengths(candidates, references, pairs, reference, 3).tolist() == [2, 0, 1]
    assert common_lengths(candidates.window(1, 2), references, pairs[1:], reference, 3).tolist() == [1]
    assert common_lengths(candidates.window(1, 1), references, pairs[1:2], reference, 3).tolist() == []


def test_longer_candidates_are_left_to_the_caller() -> None:
    candidates, references = Ragged.of([[0] * 65, [0]], np.int32), Ragged.of([[0]], np.int32)
    assert common_lengths(candidates, references, np.array([0, 1, 2]), np.array([0, 0]), 1).tolist() == [-1, 1]
