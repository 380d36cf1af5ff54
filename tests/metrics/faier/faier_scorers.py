"""Scorers of each variant with random weights, and captions in scenes for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.config import FaierConfig, ModelConfig, Variant
from vericap.metrics.faier.inputs import shipped_vectors
from vericap.metrics.faier.model import random_weights, weight_shapes
from vericap.metrics.faier.pictures import feature_size
from vericap.metrics.faier.scenes import Caption, Scenes
from vericap.metrics.faier.scorer import FaierScorer

LABELS = [["dog", "ball"], ["person", "horse", "car"], [], ["pizza"]]
CAPTIONS = [
    Caption.of("a dog chases a ball".split(), [("dog", "ball", "chase")]),
    Caption.of("two people".split()),
    Caption.of("a man rides a horse near cars".split(), [("man", "horse", "ride"), ("horse", "car", "near")]),
    Caption.of([]),
    Caption.of("xyzzyx".split()),
    Caption.of("pizza on a table".split(), [("pizza", "table", "on")]),
]
SCENE = np.array([0, 1, 1, 2, 3, 3])
REFERENCES = [[CAPTIONS[2], CAPTIONS[1]], [], [CAPTIONS[3]], [CAPTIONS[5], CAPTIONS[0], CAPTIONS[4]]]


def scorer_of(variant: Variant, folder: Path) -> FaierScorer:
    """A scorer of a variant, by way of a checkpoint."""
    vectors = shipped_vectors()
    config = FaierConfig(ModelConfig(variant, dimension=16, boxes=False))
    features, words = feature_size(vectors.dimension), [".", "a", "dog"]
    weights = random_weights(weight_shapes(config.model, features, vectors.dimension, len(words) + 1), 4)
    facts = {"word_dimension": vectors.dimension, "vectors": vectors.hash, "symbolic": True, "features": features}
    checkpoint.save(folder, weights, config, words, facts)
    return FaierScorer.load(folder)


def scenes_for(scorer: FaierScorer) -> Scenes:
    """All captions in their scenes."""
    return Scenes(CAPTIONS, SCENE, REFERENCES, scorer.label_regions(LABELS), np.arange(4))
