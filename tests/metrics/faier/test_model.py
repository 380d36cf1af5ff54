"""The variants as wholes: batches equal single scenes, whatever is padded, and every part gets a gradient."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.metrics.faier.faier_world import small_world
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.equations import triplet_loss
from vericap.metrics.faier.examples import Examples, draw, make_batch
from vericap.metrics.faier.inputs import Lexicon
from vericap.metrics.faier.model import Model

pytestmark = pytest.mark.torch

VARIANTS = [
    ModelConfig("faier", dimension=16, boxes=False),
    ModelConfig("faier", dimension=16, boxes=True),
    ModelConfig("faier", relations=False, dimension=16, boxes=False),
    ModelConfig("fier", dimension=16, boxes=False),
    ModelConfig("aier", dimension=16, boxes=False),
    ModelConfig("fier+aier", dimension=16, boxes=False),
]


@pytest.fixture(scope="module")
def world() -> tuple[Examples, Lexicon]:
    return small_world()


def build(config: ModelConfig, world: tuple[Examples, Lexicon]) -> Model:
    examples, lexicon = world
    torch.manual_seed(5)
    assert examples.regions is not None
    return Model(config, examples.regions.dimension, lexicon.vectors.shape[1], len(lexicon.learned) + 1)


def scores(model: Model, world: tuple[Examples, Lexicon], images: list[int], references: list[list[int]]):
    examples, lexicon = world
    candidates = np.array([examples.of_image[image][0] for image in images])
    drawn = [np.array(rows, np.int64) for rows in references]
    batch = make_batch(examples, examples.region_batch(np.array(images), model.config.regions), candidates, drawn)
    graphs = model.encode(batch, lexicon)
    return model, graphs.scenes, graphs.candidates


@torch.inference_mode()
@pytest.mark.parametrize("config", VARIANTS, ids=str)
def test_a_batch_equals_its_scenes_one_by_one(config: ModelConfig) -> None:
    world = small_world(8, boxes=config.boxes)
    model = build(config, world)
    own = world[0].of_image
    images = [0, 3, 5, 1]
    # Four references, one without a triplet, none, and two.
    references = [own[0][1:].tolist(), [int(own[3][0])], [], own[1][2:4].tolist()]
    _, scenes, candidates = scores(model, world, images, references)
    together = model.score_pairs(scenes, candidates, torch.arange(4))
    every = model.score_all(scenes, candidates)
    for i, image in enumerate(images):
        _, scene, candidate = scores(model, world, [image], [references[i]])
        alone = model.score_pairs(scene, candidate, torch.zeros(1, dtype=torch.int64))
        for whole, matrix, single in zip(together, every, alone, strict=True):
            assert float(whole[i]) == pytest.approx(float(single[0]), abs=1e-5)
            assert float(matrix[i, i]) == pytest.approx(float(single[0]), abs=1e-5)


@pytest.mark.parametrize("config", VARIANTS, ids=str)
def test_every_weight_takes_part(config: ModelConfig) -> None:
    world = small_world(8, boxes=config.boxes)
    model = build(config, world)
    batch = draw(world[0], np.arange(8), 1, "4", np.random.default_rng(0), 36)
    graphs = model.encode(batch, world[1])
    triplet_loss(model.score_all(graphs.scenes, graphs.candidates).total, hardest=False).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


@torch.inference_mode()
def test_a_caption_without_triplets_has_no_relation_score(world: tuple[Examples, Lexicon]) -> None:
    model = build(VARIANTS[0], world)
    _, scenes, candidates = scores(model, world, [2], [[]])  # an image's first caption has none
    matched = model.score_pairs(scenes, candidates, torch.zeros(1, dtype=torch.int64))
    assert matched.relations.tolist() == [0]
    assert torch.equal(matched.total, matched.objects)


@torch.inference_mode()
def test_fier_ignores_references_and_aier_ignores_the_image(world: tuple[Examples, Lexicon]) -> None:
    own = world[0].of_image
    fier, aier = build(VARIANTS[3], world), build(VARIANTS[4], world)
    for model, first, second in ((fier, (0, own[0][1:3]), (0, own[7][1:4])),):
        (_, scene, candidate), (_, other, _) = (
            scores(model, world, [image], [rows.tolist()]) for image, rows in (first, second)
        )
        assert torch.equal(model.score_all(scene, candidate).total, model.score_all(other, candidate).total)
    assert aier.object_encoder is None
    _, scene, candidate = scores(aier, world, [0], [own[0][1:3].tolist()])
    _, other, _ = scores(aier, world, [0], [own[7][1:3].tolist()])
    assert not torch.equal(aier.score_all(scene, candidate).total, aier.score_all(other, candidate).total)


def test_an_image_keeps_its_first_regions(world: tuple[Examples, Lexicon]) -> None:
    examples, _ = world
    assert examples.regions is not None
    batch = examples.region_batch(np.array([0, 1]), 1)
    assert batch is not None and batch.mask.sum() == 2
    assert torch.equal(batch.features[0], torch.from_numpy(examples.regions.features_of(0)[0]))
