"""The model that torch trains is the one that scores in NumPy; its GRU is torch's, and its gradients are right."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.metrics.faier.faier_world import model_for, small_world
from tests.metrics.faier.test_model import VARIANTS
from vericap.arrays import Ragged, offsets_of
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.equations import fuse, match_all, relate_objects, triplet_loss
from vericap.metrics.faier.examples import draw
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.packed import GraphLevel, Sequences
from vericap.metrics.faier.torch_layers import TorchGru, TorchLayers, TorchLinear

pytestmark = pytest.mark.torch


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def gru_of(inputs: int, units: int) -> TorchGru:
    return TorchGru(*(TorchLinear(normal(3 * units, width), normal(3 * units)) for width in (inputs, units)))


@pytest.mark.parametrize("config", VARIANTS, ids=str)
def test_scores_are_those_of_the_model_without_torch(config: ModelConfig) -> None:
    world = small_world(24, boxes=config.boxes)
    model = model_for(config, world)
    trained = {name: torch.tensor(value, requires_grad=True) for name, value in model.weights.items()}
    learning = Model(config, TorchLayers(trained))
    batch = draw(world[0], np.arange(24), 1, "4", np.random.default_rng(0), 36)
    ours, theirs = model.encode(batch, world[1]), learning.encode(batch, world[1])
    pairs = np.arange(24)
    for own, other in (
        (model.score_all(ours.scenes, ours.candidates), learning.score_all(theirs.scenes, theirs.candidates)),
        (
            model.score_pairs(ours.scenes, ours.candidates, pairs),
            learning.score_pairs(theirs.scenes, theirs.candidates, pairs),
        ),
    ):
        for level, other_level in zip(own, other, strict=True):
            np.testing.assert_allclose(level, other_level.detach(), atol=1e-5)
    # Every weight takes part.
    triplet_loss(learning.score_all(theirs.scenes, theirs.candidates).total, hardest=False).backward()
    for name, parameter in trained.items():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


def test_recurrence_is_torch_s_gru() -> None:
    ours, theirs = gru_of(3, 2), torch.nn.GRU(3, 2, dtype=torch.float64)
    weights = (ours.input.weight, ours.hidden.weight, ours.input.bias, ours.hidden.bias)
    with torch.no_grad():
        for own, other in zip(weights, theirs.parameters(), strict=True):
            other.copy_(own)
    x, rows = normal(7, 3), [[0, 1], [0, 1, 4, 5, 0, 0], [6]]
    packed = Sequences.pack(Ragged.of(rows).values, Ragged.of(rows).lengths)
    states = iter(ours(x, packed)[packed.place])
    for row in rows:
        for state in theirs(x[row])[0]:
            assert torch.allclose(next(states), state)
    assert torch.autograd.gradcheck(lambda x, *_: ours(x, packed), (x, *weights))


def test_gradients() -> None:
    d = 4
    check, (v, z, h), boxes = torch.autograd.gradcheck, (normal(5, d), normal(5, d), normal(7, d)), normal(5, 4)
    images, captions = (Ragged(np.arange(sum(n)), offsets_of(n)) for n in ([3, 2], [4, 2, 1]))
    references, gru, union, message = Ragged.of([[0, 1], [1, 2]]), gru_of(d, d), normal(d, 2 * d), normal(d, d)
    weight, by_box = normal(d), normal(4)

    def fused(v: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        seen, read = GraphLevel(v, images), GraphLevel(h, captions)
        return fuse(seen, read, references, weight, gru, TorchLinear(union, None)).nodes

    def matched(z: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        return match_all(GraphLevel(z, images), GraphLevel(h[:6], Ragged(np.arange(6), np.array([0, 4, 6]))))

    layer = TorchLinear(message, None)
    assert check(lambda v, b: relate_objects(GraphLevel(v, images), b, by_box, layer).nodes, (v, boxes))
    assert check(lambda v: relate_objects(GraphLevel(v, images), None, weight, layer).nodes, (v,))
    assert check(fused, (v, h))
    assert check(matched, (z, h))
    assert check(lambda z, h: triplet_loss(matched(z, h)), (z, h))
