"""Eisner's decoder against all trees."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from vericap.kernels.decoding import projective_heads


def is_projective_tree(heads: tuple[int, ...]) -> bool:
    """One root, no cycle, no crossing arcs; heads count from 1, 0 is the root."""
    if heads.count(0) != 1:
        return False
    for word, head in enumerate(heads, 1):
        seen, at = set(), word
        while at:
            if at in seen:
                return False
            seen.add(at)
            at = heads[at - 1]
        low, high = sorted((word, head))
        if head and any(not low <= heads[between - 1] <= high for between in range(low + 1, high)):
            return False
    return True


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_no_projective_tree_scores_higher(length: int) -> None:
    random = np.random.default_rng(length)
    trees = [heads for heads in product(range(length + 1), repeat=length) if is_projective_tree(heads)]
    scores = random.normal(size=(20, length, length + 1))
    for found, score in zip(projective_heads(scores), scores, strict=True):
        best = max(trees, key=lambda heads: sum(score[d, h] for d, h in enumerate(heads)))
        assert tuple(found) == best


def test_a_long_sentence_gets_a_tree() -> None:
    random = np.random.default_rng(0)
    (heads,) = projective_heads(random.normal(size=(1, 40, 41))).tolist()
    assert is_projective_tree(tuple(heads))
