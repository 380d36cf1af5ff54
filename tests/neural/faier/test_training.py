"""Training learns what can be learned, and goes on exactly where it was stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from faier_world import NOUNS, small_world  # noqa: E402

from vericap.errors import InputError  # noqa: E402
from vericap.neural.faier import checkpoint  # noqa: E402
from vericap.neural.faier.config import Config, ModelConfig, TrainingConfig, config_of  # noqa: E402
from vericap.neural.faier.data import Examples  # noqa: E402
from vericap.neural.faier.inputs import Lexicon  # noqa: E402
from vericap.neural.faier.model import Model  # noqa: E402
from vericap.neural.faier.retrieval import recall  # noqa: E402
from vericap.neural.faier.run import begin_with, load_state, save_state  # noqa: E402
from vericap.neural.faier.symbolic import label_regions  # noqa: E402
from vericap.neural.faier.training import Trainer, Weights  # noqa: E402

World = tuple[Examples, Lexicon]


@pytest.fixture(scope="module")
def world() -> tuple[Examples, Lexicon]:
    return small_world()


def trainer_of(world: World, config: Config, validation: int = 0) -> Trainer:
    examples, lexicon = world
    torch.manual_seed(config.training.seed)
    assert examples.regions is not None
    model = Model(config.model, examples.regions.dimension, lexicon.vectors.shape[1], len(lexicon.learned) + 1)
    images = np.arange(len(examples))
    return Trainer(config, model, lexicon, examples, images[validation:], images[:validation])


def test_64_images_can_be_learned_by_heart(world: World) -> None:
    training = TrainingConfig(references="4", batch=64, epochs=120, warm_up=20, learning_rate=0.01, average=0)
    trainer = trainer_of(world, Config(ModelConfig(dimension=32, boxes=False), training))
    losses = []
    trainer.run(report=lambda now: losses.append(now.loss))
    assert max(losses[-5:]) < 0.01 < losses[0]
    # The last five steps are the five epochs in which each of an image's captions was the candidate once.
    for step in range(trainer.steps - 5, trainer.steps):
        with torch.inference_mode():
            found = recall(trainer.scores(trainer.draw(step)).double().numpy(), (1,))
        assert (found.image_to_text[1], found.text_to_image[1]) == (1, 1)


CONFIG = Config(
    ModelConfig(dimension=16, boxes=False),
    TrainingConfig(batch=10, epochs=4, warm_up=1, learning_rate=0.003, average=0.9, patience=9),
)


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


def test_the_seed_decides(world: World) -> None:
    def trained(seed: int) -> torch.Tensor:
        trainer = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, seed=seed)))
        trainer.run(until=3)
        return trainer.model.word_encoder.onward.hidden.weight.detach()

    assert torch.equal(trained(1), trained(1))
    assert not torch.equal(trained(1), trained(2))


def test_dropout_is_for_training_alone(world: World) -> None:
    trainer = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, dropout=0.5)))
    batch = trainer.draw(0)

    def twice() -> tuple[torch.Tensor, torch.Tensor]:
        return trainer.scores(batch), trainer.scores(batch)

    trainer.model.train()
    assert not torch.equal(*twice())
    trainer.model.eval()
    assert torch.equal(*twice())


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


def test_other_weights_are_taken_back(world: World) -> None:
    trainer = trainer_of(world, CONFIG)
    before = {name: value.detach().clone() for name, value in trainer.model.named_parameters()}
    with Weights(trainer.model, {name: value + 1 for name, value in before.items()}):
        assert not torch.equal(trainer.model.object_encoder.first.weight, before["object_encoder.first.weight"])
    assert torch.equal(trainer.model.object_encoder.first.weight, before["object_encoder.first.weight"])


def test_a_run_begins_with_a_checkpoint_of_its_own_kind(world: World, tmp_path: Path) -> None:
    examples, _ = world
    trainer = trainer_of(world, CONFIG)
    assert examples.regions is not None
    facts = {"features": examples.regions.dimension, "word_dimension": 10, "vectors": "none"}
    checkpoint.save(tmp_path, trainer.mean, CONFIG, examples.words, facts)
    other = trainer_of(world, replace(CONFIG, training=replace(CONFIG.training, seed=8))).model
    begin_with(other, examples.words, tmp_path)
    assert torch.equal(other.object_encoder.first.weight, trainer.mean["object_encoder.first.weight"].half().float())
    with pytest.raises(InputError, match="others than those of this run"):
        begin_with(other, examples.words[1:], tmp_path)
    wider = Model(CONFIG.model, examples.regions.dimension + 1, 10, len(examples.words) + 1)
    with pytest.raises(InputError, match="the length of its regions' vectors"):
        begin_with(wider, examples.words, tmp_path)


def test_references_are_drawn_from_the_others() -> None:
    from vericap.neural.faier.data import draw

    examples, _ = small_world(40)
    rng = np.random.default_rng(0)
    counts = set()
    for turn in range(20):
        batch = draw(examples, np.arange(40), turn, "r", rng, 36)
        for i in range(40):
            drawn = batch.references.caption[batch.references.scene == i].tolist()
            assert int(batch.candidates[i]) not in drawn and len(set(drawn)) == len(drawn)
        of_batch = set(batch.references.counts.tolist())
        assert len(of_batch) == 1
        counts |= of_batch
    assert counts == {1, 2, 3, 4}  # none counts as the empty reference


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": {"variant": "fair"}}, "model.variant.*'fair' is not one of faier, fier, aier, fier\\+aier"),
        ({"model": {"dimension": 7}}, "even number"),
        ({"training": {"references": 9}}, "training.references.*9 is not one of 1, 2, 3, 4, r"),
        ({"training": {"batch": "many"}}, "training.batch.*'many' is not a whole number"),
        ({"training": {"learning_rate": 0}}, "learning_rate.*0.0 is out of range; use a finite number above 0"),
        ({"training": {"dropout": 1}}, "dropout.*1.0 is out of range; use a number from 0 to below 1"),
        ({"training": {"classes": 0}}, "classes.*0.0 is out of range; use a number above 0"),
        ({"training": {"classes": 0.5}, "data": {"regions": "regions.npz"}}, "no classes to leave out"),
        ({"training": {"validations": 0}}, "training.validations.*out of range"),
        ({"training": {"patience": 0}}, "training.patience.*out of range"),
        ({"training": {"learning_rate": float("inf")}}, "inf is out of range"),
        ({"training": {"average": 1}}, "training.average.*from 0 to below 1"),
        ({"data": {"validation": -1}}, "data.validation.*-1 is out of range; use a finite number of 0 or more"),
        ({"data": {"objects": "labels.json", "regions": "regions.npz"}}, "both objects and regions"),
        ({"optimizer": {}}, "optimizer.*no such setting; use one of model, training, data"),
        ({"model": 3}, "model.*3 is not a table"),
    ],
)
def test_a_wrong_setting_is_named(given: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        config_of(given, "faier.toml")
