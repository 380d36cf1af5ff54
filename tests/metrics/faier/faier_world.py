"""A small world for FAIEr: images of a few objects, five captions each, and vectors for their words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.corpus import Regions
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.examples import Examples
from vericap.metrics.faier.inputs import CaptionColumns, Lexicon
from vericap.metrics.faier.layers import Layers
from vericap.metrics.faier.model import Model, random_weights, weight_shapes
from vericap.metrics.faier.scenes import EMPTY, Caption

World = tuple[Examples, Lexicon]
NOUNS = "dog cat man woman ball tree car bench kite pizza horse bird boat cake book clock".split()
VERBS = "chases holds watches eats near on under beside".split()


def small_world(images: int = 64, seed: int = 0, boxes: bool = False) -> World:
    """Every image has two to five things; a caption tells of two or three of them, and of what one does."""
    rng = np.random.default_rng(seed)
    captions, rows, features, counts = [EMPTY], [], [], []
    of_noun = rng.normal(size=(len(NOUNS), 12)).astype(np.float32)
    for _ in range(images):
        things = rng.choice(len(NOUNS), rng.integers(2, 6), replace=False)
        verb = VERBS[rng.integers(len(VERBS))]
        features.append(of_noun[things] + 0.3 * rng.normal(size=(1, 12)).astype(np.float32))
        counts.append(len(things))
        rows.append(range(len(captions), len(captions) + 5))
        for k in range(5):
            said = [NOUNS[i] for i in rng.permutation(things)[:3]]
            words = ("a", said[0], verb, "the", *said[1:])
            triplets = tuple((said[0], verb, other) for other in said[1:])
            captions.append(Caption(words, triplets if k else ()))
    frames = np.sort(rng.random((sum(counts), 4)), axis=1).astype(np.float32) if boxes else None
    regions = Regions(list(range(images)), np.cumsum([0, *counts]), np.concatenate(features), frames)
    encoded, words = CaptionColumns.encode(captions)
    lexicon = Lexicon(rng.normal(size=(len(words), 10)).astype(np.float32), np.arange(1, len(words) + 1))
    return Examples(encoded, Ragged.of(rows), regions, words), lexicon


def weights_for(config: ModelConfig, world: World, seed: int = 5) -> dict[str, NDArray[np.float32]]:
    """Random weights of a model for a world."""
    (examples, lexicon), features = world, 0
    if examples.regions is not None:
        features = examples.regions.dimension
    return random_weights(weight_shapes(config, features, lexicon.vectors.shape[1], len(lexicon.learned) + 1), seed)


def model_for(config: ModelConfig, world: World) -> Model:
    """A model with random weights for a world."""
    return Model(config, Layers(weights_for(config, world)))
