"""What a training batch is drawn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.metrics.faier.faier_world import NOUNS, small_world
from vericap.metrics.faier.data import draw
from vericap.metrics.faier.symbolic import label_regions

pytestmark = pytest.mark.torch


def test_references_are_drawn_from_the_others() -> None:
    examples, _ = small_world(40)
    rng = np.random.default_rng(0)
    counts = set()
    for epoch in range(20):
        batch = draw(examples, np.arange(40), epoch, "r", rng, 36)
        for i in range(40):
            drawn = batch.references.caption[batch.references.scene == i].tolist()
            assert int(batch.candidates[i]) not in drawn and len(set(drawn)) == len(drawn)
        of_batch = set(batch.references.counts.tolist())
        assert len(of_batch) == 1
        counts |= of_batch
    assert counts == {1, 2, 3, 4}  # none counts as the empty reference


def test_half_of_the_batches_know_fewer_classes() -> None:
    examples, _ = small_world(40)
    assert examples.regions is not None
    vectors = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
    labels = [[NOUNS[k] for k in range(9) if (image >> k) % 2] for image in range(1, 41)]
    regions = label_regions(range(40), labels, lambda words: vectors[[NOUNS.index(word) for word in words]])
    seen = replace(examples, regions=regions)
    rng = np.random.default_rng(0)
    sizes = [len(seen.with_fewer_classes(np.arange(40), 36, 0.01, rng).features) for _ in range(400)]
    # Six classes, each known with a chance between 0 and 1: all are one time in seven, and none one time in seven, when
    # every image keeps what it has.
    assert np.mean([size < len(regions.features) for size in sizes]) == pytest.approx(0.5 * 5 / 7, abs=0.07)
    whole = [len(seen.with_fewer_classes(np.arange(40), 36, 1.0, rng).features) for _ in range(20)]
    assert set(whole) == {len(regions.features)}
