"""The variants as wholes: a batch gives the bits of single scenes, and each variant sees its own side alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.metrics.faier.faier_world import World, model_for, small_world
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.examples import make_batch
from vericap.metrics.faier.model import Encoded, Model

VARIANTS = [
    ModelConfig("faier", dimension=16, boxes=False),
    ModelConfig("faier", dimension=16, boxes=True),
    ModelConfig("faier", relations=False, dimension=16, boxes=False),
    ModelConfig("fier", dimension=16, boxes=False),
    ModelConfig("aier", dimension=16, boxes=False),
    ModelConfig("fier+aier", dimension=16, boxes=False),
]


@pytest.fixture(scope="module")
def world() -> World:
    return small_world()


def encode(model: Model, world: World, images: list[int], references: list[list[int]]) -> Encoded:
    examples, lexicon = world
    candidates = np.array([examples.of_image[image][0] for image in images])
    drawn = [np.array(rows, np.int64) for rows in references]
    batch = make_batch(examples, examples.region_batch(np.array(images), model.config.regions), candidates, drawn)
    return model.encode(batch, lexicon)


@pytest.mark.bits
@pytest.mark.parametrize("config", VARIANTS, ids=str)
def test_a_batch_equals_its_scenes_one_by_one(config: ModelConfig) -> None:
    world = small_world(8, boxes=config.boxes)
    model = model_for(config, world)
    own = world[0].of_image
    images = [0, 3, 5, 1]
    # Four references, one without a triplet, none, and two.
    references = [own[0][1:].tolist(), [int(own[3][0])], [], own[1][2:4].tolist()]
    graphs = encode(model, world, images, references)
    together = model.score_pairs(graphs.scenes, graphs.candidates, np.arange(4))
    every = model.score_all(graphs.scenes, graphs.candidates)
    for i, image in enumerate(images):
        one = encode(model, world, [image], [references[i]])
        alone = model.score_pairs(one.scenes, one.candidates, np.zeros(1, np.int64))
        for whole, matrix, single in zip(together, every, alone, strict=True):
            assert whole[i] == single[0]
            assert matrix[i, i] == pytest.approx(single[0], abs=1e-5)


def test_a_caption_without_triplets_has_no_relation_score(world: World) -> None:
    model = model_for(VARIANTS[0], world)
    graphs = encode(model, world, [2], [[]])  # an image's first caption has none
    matched = model.score_pairs(graphs.scenes, graphs.candidates, np.zeros(1, np.int64))
    assert matched.relations.tolist() == [0]
    assert matched.total == matched.objects


def test_fier_ignores_references_and_aier_does_not(world: World) -> None:
    own = world[0].of_image
    for config, same in ((VARIANTS[3], True), (VARIANTS[4], False)):
        model = model_for(config, world)
        one, other = (encode(model, world, [0], [own[image][1:3].tolist()]) for image in (0, 7))
        first, second = (model.score_all(graphs.scenes, one.candidates).total for graphs in (one, other))
        assert np.array_equal(first, second) is same


def test_an_image_keeps_its_first_regions(world: World) -> None:
    examples, _ = world
    assert examples.regions is not None
    batch = examples.region_batch(np.array([0, 1]), 1)
    assert batch is not None and batch.counts.tolist() == [1, 1]
    assert np.array_equal(batch.features[0], examples.regions.features_of(0)[0])
