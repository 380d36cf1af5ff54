"""The scorer: any order, batch and number of workers give the same, and what a candidate was matched with adds up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.metrics.faier.faier_scorers import CAPTIONS, LABELS, SCENE, scenes_for
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.metrics.faier.equations import attention
from vericap.metrics.faier.inputs import CaptionColumns, region_batch
from vericap.metrics.faier.scenes import Scenes
from vericap.metrics.faier.scorer import FaierScorer


@pytest.mark.bits
def test_batches_and_workers_change_nothing(scorer: FaierScorer) -> None:
    scenes = scenes_for(scorer)
    whole = scorer.score(scenes)
    assert np.array_equal(whole.total, whole.objects + whole.relations)
    assert np.isfinite(whole.total).all()
    for batch, workers in ((1, 1), (2, 1), (2, 2), (2, 3)):
        assert np.array_equal(scorer.score(scenes, batch=batch, workers=workers).total, whole.total)
    back = np.arange(6)[::-1]
    turned = scorer.score(replace(scenes, candidates=[CAPTIONS[i] for i in back], scene=SCENE[back]))
    assert np.array_equal(turned.total[back], whole.total)


def test_regions_of_another_detector_are_refused(scorer: FaierScorer) -> None:
    if scorer.config.variant == "aier":
        pytest.skip("sees no image")
    with pytest.raises(InputError, match="regions have 5 features"):
        regions = Regions([1], np.array([0, 1]), np.ones((1, 5), np.float32))
        scorer.score(Scenes(CAPTIONS[:1], np.array([0]), [()], regions, np.array([0])))


def test_details_add_up(scorer: FaierScorer) -> None:
    scenes = scenes_for(scorer)
    whole = scorer.score(scenes)
    for i, caption in enumerate(CAPTIONS):
        found = scorer.details(scenes, i)
        assert found.total == pytest.approx(whole.total[i], abs=1e-5)
        assert found.objects_before.shape[1] == len(caption.words)
        if scorer.config.variant in ("faier", "fier"):
            assert found.objects_after.shape == (len(found.labels), len(caption.words))
            assert found.objects == pytest.approx(found.objects_after.max(axis=0).mean(), abs=1e-5)
            if caption.triplets:
                assert found.relations == pytest.approx(found.relations_after.max(axis=0).mean(), abs=1e-5)
            else:
                assert found.relations == 0


def test_before_fusion_is_what_the_model_attends_to(scorer: FaierScorer) -> None:
    """The softmax of a region's row over a reference's words is equation 2's α."""
    if scorer.config.variant != "faier":
        pytest.skip("fuses nothing")
    regions = scorer.label_regions(LABELS)
    scenes = Scenes(CAPTIONS[:1], np.array([0]), [[CAPTIONS[2]]], regions, np.array([1]))
    found = scorer.details(scenes, 0).reference_matches[0]
    columns, words = CaptionColumns.encode([CAPTIONS[2]])
    said = scorer.model.encode_captions(columns.batch(np.arange(1)), scorer.lexicon(words))["objects"]
    seen = scorer.model.encode_images(region_batch(regions, np.array([1]), 36))["objects"]
    alpha = attention(seen.padded()[0], *said.padded(), scorer.model.attend("objects"))[0]
    assert np.allclose(np.exp(found) / np.exp(found).sum(axis=1, keepdims=True), alpha, atol=1e-5)


def test_rows_are_named_by_what_the_model_matches_with(scorer: FaierScorer) -> None:
    scenes = scenes_for(scorer)
    first, empty = scorer.details(scenes, 0), scorer.details(scenes, 3)
    if scorer.config.uses_image:
        assert first.labels == ["(picture)", "dog", "ball"] and first.regions == 3
        assert empty.labels == ["(no object)"] and empty.regions == 0
    else:
        assert first.labels == "a man rides a horse near cars two people".split() and first.regions == 0
