"""Correlations between systems and within images, by SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from vericap.errors import InputError
from vericap.judging.agreement import image_taus, system_means


@pytest.mark.parametrize("seed", range(5))
def test_an_images_tau_is_scipys_of_its_captions(seed):
    random = np.random.default_rng(seed)
    image = random.integers(0, 12, 60)
    scores, human = random.integers(0, 5, 60).astype(float), random.integers(1, 5, 60).astype(float)
    wanted = [
        kendalltau(scores[image == k], human[image == k]).statistic if (image == k).sum() > 1 else np.nan
        for k in range(image.max() + 1)
    ]
    np.testing.assert_allclose(image_taus(scores, human, image), wanted, atol=1e-12)


def test_an_image_with_one_caption_has_no_tau():
    assert np.isnan(image_taus(np.array([1.0, 2.0]), np.array([1.0, 2.0]), np.array([0, 1]))).all()


def test_a_caption_without_a_score_does_not_count_for_its_system():
    names, [means] = system_means(["a", "a", "b"], [np.array([1.0, np.nan, 4.0])])
    assert (names, means.tolist()) == (["a", "b"], [1.0, 4.0])
    _, [means] = system_means(["a", "b"], [np.array([np.nan, 4.0])])
    assert np.isnan(means[0]) and means[1] == 4.0


def test_judgements_without_systems_cannot_be_judged_at_their_level():
    with pytest.raises(InputError, match="do not name the systems"):
        system_means([], [np.zeros(3)])
