"""Two captioners by one metric: what each figure of a contrast is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.metrics.bleu import Bleu
from vericap.metrics.rouge_l import RougeL
from vericap.metrics.ter import Ter
from vericap.stats.bootstrap import CorpusScore, replicates
from vericap.stats.contrast import Scored, better_by, contrast, effect_size
from vericap.stats.paired import bootstrap_test, exchange_test
from vericap.stats.resampling import draw

IMAGES = 40


def scored(metric: CorpusScore, statistics: np.ndarray, captions: np.ndarray) -> Scored:
    image = np.arange(len(statistics))
    weights = draw(len(statistics), 300, 1)
    return Scored(
        metric.aggregate(statistics), statistics, captions, image, replicates(metric, statistics, image, weights)
    )


def two(seed: int = 0) -> tuple[Scored, Scored]:
    """Two captioners by ROUGE-L, the first a little better."""
    random = np.random.default_rng(seed)
    sides = [random.random((IMAGES, 2)) * 0.7 + better for better in (0.2, 0.1)]
    first, second = (scored(RougeL(), side, RougeL().score(side)) for side in sides)
    return first, second


def test_the_difference_is_of_the_corpus_scores_with_its_paired_interval() -> None:
    first, second = two()
    found = contrast(RougeL(), ("a", "b"), first, second, IMAGES)
    assert (found.system, found.against) == ("a", "b")
    assert found.difference == pytest.approx(first.score - second.score)
    low, high = np.percentile(first.replicates - second.replicates, [2.5, 97.5])
    assert found.interval == pytest.approx((low, high))
    assert found.p == found.corrected == bootstrap_test(first.replicates, second.replicates)


def test_the_permutation_test_is_of_the_statistics() -> None:
    first, second = two()
    found = contrast(RougeL(), ("a", "b"), first, second, IMAGES, test="permutation", resamples=200, seed=5)
    expected = exchange_test(
        RougeL(), first.statistics, second.statistics, first.image, second.image, resamples=200, seed=5
    )
    assert found.p == expected != contrast(RougeL(), ("a", "b"), first, second, IMAGES).p


@given(st.integers(0, 1000))
def test_a_contrast_turned_round_has_the_other_sign(seed: int) -> None:
    first, second = two(seed)
    there, back = (
        contrast(RougeL(), ("a", "b"), one, other, IMAGES) for one, other in ((first, second), (second, first))
    )
    assert there.difference == pytest.approx(-back.difference)
    assert there.effect == pytest.approx(-back.effect)
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    assert there.wins + there.ties + there.losses == IMAGES
    assert there.p == back.p


def test_a_win_is_the_lower_score_where_lower_is_better() -> None:
    captions = np.array([0.1, 0.5, 0.5]), np.array([0.4, 0.5, 0.2])
    first, second = (Scored(0.0, np.zeros((3, 1)), scores, np.arange(3), np.zeros(2)) for scores in captions)
    errors = contrast(Ter(), ("a", "b"), first, second, 3)
    scores = contrast(Bleu(1), ("a", "b"), first, second, 3)
    assert (errors.wins, errors.ties, errors.losses) == (1, 1, 1)
    assert errors.effect == pytest.approx(-scores.effect)
    assert better_by(Ter(), first, second, 3) == pytest.approx([0.3, 0, -0.3])


def test_an_image_counts_by_the_mean_of_its_captions_that_are_defined() -> None:
    found = Scored(0.0, np.zeros((5, 1)), np.array([1, 0, np.nan, 4, np.nan]), np.array([0, 0, 0, 1, 2]), np.zeros(1))
    assert np.array_equal(found.by_image(4), [0.5, 4, np.nan, np.nan], equal_nan=True)


def test_images_without_a_score_of_both_are_in_no_count() -> None:
    first = Scored(0.0, np.zeros((2, 1)), np.array([0.5, np.nan]), np.arange(2), np.zeros(1))
    second = Scored(0.0, np.zeros((2, 1)), np.array([0.2, 0.3]), np.arange(2), np.zeros(1))
    found = contrast(RougeL(), ("a", "b"), first, second, 2)
    assert (found.wins, found.ties, found.losses) == (1, 0, 0)


def test_the_effect_is_mean_over_standard_deviation_of_a_sample() -> None:
    """Differences 1, 2, 3, 6: mean 3, variance (4 + 1 + 0 + 9) / 3."""
    assert effect_size(np.array([1.0, 2.0, 3.0, 6.0])) == pytest.approx(3 / np.sqrt(14 / 3))
    assert np.isnan(effect_size(np.array([1.0]))) and np.isnan(effect_size(np.zeros(0)))


def test_an_unknown_test_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="bootstrap, permutation") as error:
        contrast(RougeL(), ("a", "b"), *two(), IMAGES, test="sign")  # type: ignore[arg-type]
    assert error.value.field == "test"
