"""A run that was stopped continues bit by bit, and only with its own settings and data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.metrics.faier.faier_trainers import CONFIG, World, trainer_of
from tests.metrics.faier.faier_world import small_world
from vericap.errors import InputError
from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.run import begin_with, load_state, save_state

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def world() -> World:
    return small_world()


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
    for name, value in whole.model.named_parameters():
        assert torch.equal(value, dict(second.model.named_parameters())[name]), name
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
    examples, _ = world
    trainer = trainer_of(world, CONFIG)
    assert examples.regions is not None
    facts = {"features": examples.regions.dimension, "word_dimension": 10, "vectors": "none"}
    checkpoint.save(tmp_path, trainer.mean, CONFIG, examples.words, facts)
    other = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, seed=8))).model
    begin_with(other, examples.words, tmp_path)
    assert torch.equal(other.object_encoder.first.weight, trainer.mean["object_encoder.first.weight"].half().float())
    with pytest.raises(InputError, match="differ from those of this run"):
        begin_with(other, examples.words[1:], tmp_path)
    wider = Model(CONFIG.model, examples.regions.dimension + 1, 10, len(examples.words) + 1)
    with pytest.raises(InputError, match="the length of its regions' vectors"):
        begin_with(wider, examples.words, tmp_path)
