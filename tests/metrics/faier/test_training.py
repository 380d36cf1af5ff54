"""Training learns what can be learned, and a stopped run continues bit by bit, with its own settings and data alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.metrics.faier.faier_trainers import CONFIG, trainer_of
from tests.metrics.faier.faier_world import World, small_world, weights_for
from vericap.errors import InputError
from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.config import FaierConfig, ModelConfig, TrainingConfig
from vericap.metrics.faier.model import weight_shapes
from vericap.metrics.faier.retrieval import recall
from vericap.metrics.faier.training import load_state, save_state, weights_of

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def world() -> World:
    return small_world()


def test_64_images_can_be_learned_by_heart(world: World) -> None:
    training = TrainingConfig(references="4", batch=64, epochs=120, warm_up=20, learning_rate=0.01, average=0)
    trainer = trainer_of(world, FaierConfig(ModelConfig(dimension=32, boxes=False), training))
    losses = []
    trainer.run(report=lambda now: losses.append(now.loss))
    assert max(losses[-5:]) < 0.01 < losses[0]
    # The last five steps are the five epochs in which each of an image's captions was the candidate once.
    for step in range(trainer.steps - 5, trainer.steps):
        found = recall(trainer.scores(trainer.draw(step)).detach().double().numpy(), (1,))
        assert (found.image_to_text[1], found.text_to_image[1]) == (1, 1)


def test_the_seed_decides(world: World) -> None:
    def trained(seed: int) -> torch.Tensor:
        trainer = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, seed=seed)))
        trainer.run(until=3)
        return trainer.weights["word_encoder.onward.hidden.weight"].detach()

    assert torch.equal(trained(1), trained(1))
    assert not torch.equal(trained(1), trained(2))


def test_dropout_is_for_training_alone(world: World) -> None:
    trainer = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, dropout=0.5)), validation=14)
    batch = trainer.draw(0)
    assert not torch.equal(trainer.scores(batch), trainer.scores(batch))
    assert trainer.validate() == trainer.validate()


def test_training_stops_when_recall_no_longer_rises(world: World) -> None:
    training = replace(CONFIG.training, epochs=50, patience=2, learning_rate=1e-9)
    trainer = trainer_of(world, replace(CONFIG, training=training), validation=14)
    trainer.run()
    assert trainer.state.step < trainer.steps
    assert len(trainer.state.curve) >= 3


@pytest.mark.parametrize("variant", ["fier", "aier", "fier+aier"])
def test_every_variant_trains(world: World, variant: str) -> None:
    config = replace(CONFIG, model=replace(CONFIG.model, variant=variant))
    trainer = trainer_of(world, replace(config, training=replace(config.training, references="4")), validation=14)
    before = trainer.validate()["first"]
    trainer.run()
    assert trainer.state.best > before


def test_a_stopped_run_goes_on_bit_by_bit(world: World, tmp_path: Path) -> None:
    whole = trainer_of(world, CONFIG, validation=14)
    whole.run()
    first = trainer_of(world, CONFIG, validation=14)
    first.run(until=first.epoch_steps * 2)
    save_state(first, tmp_path)
    second = trainer_of(world, replace(CONFIG), validation=14)
    load_state(second, tmp_path)
    second.run()
    assert second.state.step == whole.state.step == whole.steps
    for name, value in whole.weights.items():
        assert torch.equal(value, second.weights[name]), name
        assert torch.equal(whole.mean[name], second.mean[name]), name
        assert torch.equal(whole.best[name], second.best[name]), name
    without_time = [[row | {"seconds": 0} for row in one.state.curve] for one in (whole, second)]
    assert without_time[0] == without_time[1]


def test_a_state_of_other_settings_is_refused(world: World, tmp_path: Path) -> None:
    trainer = trainer_of(world, CONFIG)
    trainer.run(until=1)
    save_state(trainer, tmp_path)
    other = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, seed=1)))
    with pytest.raises(InputError, match="other settings"):
        load_state(other, tmp_path)


def test_a_run_begins_with_a_checkpoint_of_its_own_kind(world: World, tmp_path: Path) -> None:
    (examples, _), given = world, weights_for(CONFIG.model, world)
    assert examples.regions is not None
    facts = {"features": examples.regions.dimension, "word_dimension": 10, "vectors": "none"}
    checkpoint.save(tmp_path, given, CONFIG, examples.words, facts)
    shapes = {name: value.shape for name, value in given.items()}
    found = weights_of(tmp_path, CONFIG, examples.words, shapes)
    assert all(np.array_equal(found[name], value.astype(np.float16)) for name, value in given.items())
    with pytest.raises(InputError, match="differ from those of this run"):
        weights_of(tmp_path, CONFIG, examples.words[1:], shapes)
    wider = weight_shapes(CONFIG.model, examples.regions.dimension + 1, 10, len(examples.words) + 1)
    with pytest.raises(InputError, match="the length of its regions' vectors"):
        weights_of(tmp_path, CONFIG, examples.words, wider)
