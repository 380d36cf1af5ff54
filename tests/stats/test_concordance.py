"""Concordant less discordant pairs, against the pairs themselves."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.stats.concordance import Ranking, dot, levels_of

columns = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=20)


def counted(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> float:
    """Σ sign(x_i - x_j) sign(y_i - y_j) w_i w_j over the pairs i < j."""
    return sum(
        np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) * weight[i] * weight[j] for i in range(len(x)) for j in range(i)
    )


@given(columns, st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=3))
def test_the_levels_sum_up_to_all_pairs(rows: list[tuple[int, int, int]], weights: list[list[int]]) -> None:
    """A pair that is tied in either column counts on neither side, and a row drawn twice makes its pairs twice."""
    many, few, cluster = np.array(rows).T
    samples = np.array(weights, np.int32)
    found = sum(
        (level.difference(samples) for level in levels_of(Ranking.of(many * 1.0), Ranking.of(few * 1.0), cluster)),
        np.zeros(len(samples)),
    )
    assert found.tolist() == [counted(many, few, sample[cluster]) for sample in samples]


@given(st.lists(st.floats(-2, 2).map(lambda x: round(x, 1)), min_size=1, max_size=20))
def test_a_ranking_is_the_sorted_column_cut_where_values_change(values: list[float]) -> None:
    column = np.array(values)
    ranking = Ranking.of(column)
    distinct, group = np.unique(column, return_inverse=True)
    assert column[ranking.order].tolist() == sorted(values)
    assert ranking.group.tolist() == group.tolist()
    assert ranking.groups == len(distinct)
    assert np.diff(ranking.bounds).tolist() == np.bincount(group).tolist()


def test_a_group_weighs_what_its_clusters_weigh() -> None:
    ranking = Ranking.of(np.array([0.5, 0.1, 0.5, 0.9]))
    cluster = np.array([0, 0, 1, 1])
    assert ranking.weigh(np.array([[2, 3], [0, 1]], np.int32), cluster).tolist() == [[2, 5, 3], [0, 1, 1]]


def test_a_column_that_does_not_vary_has_no_levels() -> None:
    assert levels_of(Ranking.of(np.arange(3.0)), Ranking.of(np.ones(3)), np.arange(3)) == []


def test_products_are_summed_row_by_row() -> None:
    assert dot(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])).tolist() == [17, 53]
