"""The scorer: any order, any batch and any number of workers give the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.metrics.faier.faier_scorers import CAPTIONS, SCENE, scenes_for
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.metrics.faier.scenes import Scenes
from vericap.metrics.faier.scorer import Scorer, in_threads

pytestmark = pytest.mark.torch


def test_batches_and_workers_change_nothing(scorer: Scorer) -> None:
    scenes = scenes_for(scorer)
    whole = scorer.score(scenes)
    assert np.array_equal(whole.total, whole.objects + whole.relations)
    assert np.isfinite(whole.total).all()
    single = scorer.score(scenes, batch=1)
    assert np.allclose(single.total, whole.total, atol=1e-5)
    for first, second in ((1, 2), (2, 3)):
        one = scorer.score(scenes, batch=2, workers=first)
        other = scorer.score(scenes, batch=2, workers=second)
        assert np.array_equal(one.total, other.total)
    back = np.arange(6)[::-1]
    turned = scorer.score(replace(scenes, candidates=[CAPTIONS[i] for i in back], scene=SCENE[back]))
    assert np.allclose(turned.total[back], whole.total, atol=1e-5)


def test_regions_of_another_detector_are_refused(scorer: Scorer) -> None:
    if scorer.config.variant == "aier":
        pytest.skip("sees no image")
    with pytest.raises(InputError, match="regions have 5 features"):
        regions = Regions([1], np.array([0, 1]), np.ones((1, 5), np.float32))
        scorer.score(Scenes(CAPTIONS[:1], np.array([0]), [()], regions, np.array([0])))


def test_work_in_threads_keeps_its_order_and_torch_s_number_of_threads() -> None:
    before = torch.get_num_threads()
    assert in_threads(lambda part: (part, torch.get_num_threads()), [3, 1, 2], 2) == [(3, 1), (1, 1), (2, 1)]
    assert torch.get_num_threads() == before
