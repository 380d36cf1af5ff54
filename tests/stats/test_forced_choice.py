"""Forced choices: who is preferred, what a tie is worth, and that pairs of one image are not independent."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.stats.forced_choice import TIES, accuracy, credit, wilson

scores = st.lists(st.integers(0, 5).map(lambda x: x / 5), min_size=1, max_size=30)


@given(scores, st.data())
def test_win_half_lose_are_in_this_order_and_a_coin_is_between(chosen: list[float], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.sampled_from([0, 0.2, 0.4]), min_size=len(chosen), max_size=len(chosen)))
    value = {ties: accuracy(credit(chosen, other, ties), resamples=0).value for ties in TIES}
    assert value["lose"] <= value["random"] <= value["win"]
    assert value["half"] == pytest.approx((value["lose"] + value["win"]) / 2)


@given(scores)
def test_a_metric_that_cannot_tell_is_at_one_half(chosen: list[float]) -> None:
    assert accuracy(credit(chosen, chosen), resamples=0).value == 0.5


def test_spice_paper_counts_equal_or_higher() -> None:
    assert credit([0.2, 0.2, 0.1], [0.2, 0.1, 0.2], "win").tolist() == [1, 1, 0]


def test_a_coin_with_a_seed_falls_the_same_way_again() -> None:
    even = np.zeros(2000)
    first = credit(even, even, "random", seed=3)
    assert np.array_equal(first, credit(even, even, "random", seed=3))
    assert not np.array_equal(first, credit(even, even, "random", seed=4))
    assert first.mean() == pytest.approx(0.5, abs=0.04)


def test_an_undefined_score_is_no_choice() -> None:
    credits = credit([np.nan, 1.0, 0.0], [0.0, 0.0, np.nan])
    assert np.isnan(credits).tolist() == [True, False, True]
    assert accuracy(credits, resamples=50).value == 1.0
    assert np.isnan(accuracy([np.nan]).value)


def test_wrong_choices_are_refused() -> None:
    with pytest.raises(InputError, match="use one of half, random, lose, win"):
        credit([1.0], [1.0], "maybe")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="2 chosen captions but 1 others"):
        credit([1.0, 2.0], [1.0])


def test_pairs_of_one_image_widen_the_interval() -> None:
    """Fifty images whose twenty pairs are all right or all wrong say no more than fifty pairs do."""
    right = np.repeat((np.arange(50) % 2).astype(float), 20)
    by_image = accuracy(right, np.repeat(np.arange(50), 20), resamples=1000).interval or (0, 0)
    by_pair = accuracy(right, resamples=1000).interval or (0, 0)
    assert by_image[1] - by_image[0] > 4 * (by_pair[1] - by_pair[0])
    assert by_image == pytest.approx(wilson(25, 50), abs=0.03)
