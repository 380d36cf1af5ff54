"""Accuracies: forced choices, what ties are worth, Wilson's interval, pairs with ties."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from vericap.errors import InputError
from vericap.stats import pairwise
from vericap.stats.correlation import kendall_b
from vericap.stats.forced_choice import TIES, accuracy, credit
from vericap.stats.pairwise import calibrate, pairwise_accuracy
from vericap.stats.wilson import wilson

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
    with pytest.raises(InputError, match="choose one of half, random, lose, win"):
        credit([1.0], [1.0], "maybe")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="2 chosen captions but 1 others"):
        credit([1.0, 2.0], [1.0])


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (1, 10), (638, 1000), (3999, 4000)])
def test_wilson_is_scipys(successes: int, trials: int) -> None:
    expected = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_of_nothing_is_undefined() -> None:
    assert np.isnan(wilson(0, 0)).all()


def test_wilson_and_bootstrap_agree_on_independent_pairs() -> None:
    credits = (np.random.default_rng(0).random(1000) < 0.64).astype(float)
    low, high = accuracy(credits, resamples=2000).interval or (0, 0)
    assert (low, high) == pytest.approx(wilson(credits.sum(), 1000), abs=0.005)


def test_pairs_of_one_image_widen_the_interval() -> None:
    """Fifty images whose twenty pairs are all right or all wrong say no more than fifty pairs do."""
    right = np.repeat((np.arange(50) % 2).astype(float), 20)
    by_image = accuracy(right, np.repeat(np.arange(50), 20), resamples=1000).interval or (0, 0)
    by_pair = accuracy(right, resamples=1000).interval or (0, 0)
    assert by_image[1] - by_image[0] > 4 * (by_pair[1] - by_pair[0])
    assert by_image == pytest.approx(wilson(25, 50), abs=0.03)


def counted(metric: list[float], human: list[float], threshold: float) -> float:
    """The definition, pair by pair."""
    right = 0
    pairs = list(combinations(range(len(metric)), 2))
    for i, j in pairs:
        difference = metric[i] - metric[j]
        predicted = 0 if abs(difference) <= threshold else np.sign(difference)
        right += predicted == np.sign(human[i] - human[j])
    return right / len(pairs)


rated = st.lists(st.tuples(st.integers(0, 40).map(lambda x: x / 8), st.integers(1, 4)), min_size=2, max_size=15)


@given(rated, st.sampled_from([0.0, 0.125, 1.0]))
def test_pairwise_accuracy_is_counted_pair_by_pair(rows: list[tuple[float, int]], threshold: float) -> None:
    metric, human = zip(*rows, strict=True)
    assert pairwise_accuracy(metric, human, threshold=threshold) == pytest.approx(counted(metric, human, threshold))


@given(rated)
def test_calibration_finds_the_best_of_all_thresholds(rows: list[tuple[float, int]]) -> None:
    metric, human = zip(*rows, strict=True)
    found = calibrate(metric, human)
    tried = sorted({0.0, *(abs(a - b) for a, b in combinations(metric, 2))})
    values = [counted(metric, human, threshold) for threshold in tried]
    assert found.accuracy == pytest.approx(max(values))
    assert found.threshold == tried[int(np.argmax(np.array(values) >= max(values) - 1e-12))]
    assert found.accuracy == pytest.approx(pairwise_accuracy(metric, human, threshold=found.threshold))


def test_images_count_alike_however_many_captions_they_have() -> None:
    metric, human, image = [1, 2, 1, 2, 3], [1, 2, 3, 2, 1], [0, 0, 1, 1, 1]
    assert pairwise_accuracy(metric, human, image) == pytest.approx((1 + 0) / 2)


def test_without_ties_it_is_kendalls_tau_on_another_scale() -> None:
    metric, human = np.random.default_rng(1).permutation(40), np.arange(40)
    assert pairwise_accuracy(metric, human) == pytest.approx((kendall_b(metric, human) + 1) / 2)


def test_many_rows_are_judged_by_pairs_drawn_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    human = random.integers(0, 4, 600)
    metric = random.normal(human).round(1)
    whole = pairwise_accuracy(metric, human, threshold=0.3)
    monkeypatch.setattr(pairwise, "MOST_PAIRS", 20_000)
    assert pairwise_accuracy(metric, human, threshold=0.3) != whole
    assert pairwise_accuracy(metric, human, threshold=0.3) == pytest.approx(whole, abs=0.015)
    assert calibrate(metric, human).pairs == 20_000


def test_a_single_row_has_no_pairs() -> None:
    assert np.isnan(pairwise_accuracy([1.0], [1.0]))
    assert np.isnan(calibrate([1.0, np.nan], [1.0, 2.0]).accuracy)
