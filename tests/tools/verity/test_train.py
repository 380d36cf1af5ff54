"""A run that is stopped and resumed gives the weights of one that is not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch

from tests.encoders.models import PIECES
from tests.tools.verity.networks import small_network
from tools.verity.captions import Captions, Likeness
from tools.verity.recipes import Contrast, Graded, Joint
from tools.verity.spoilt import Pool
from tools.verity.teacher import Teacher
from tools.verity.train import Settings, Training
from vericap.encoders.wordpiece import WordPiece

pytestmark = pytest.mark.torch

SETTINGS = Settings(recipe="graded", steps=4, pictures=2, longest=20, frozen=0)
IMAGES, EACH = 9, 5
TEXTS = [
    f"a {animal} {does} on the street with {number} red ball"
    for animal in ("dog", "cat", "man")
    for does in ("runs", "sits", "plays")
    for number in ("a", "two", "the", "one", "no")
]
POOL = Pool(["dog", "ball"], {"dog", "ball"}, [["with", "a", "ball"]], {"dog", "red", "ball"})


def recipe_of(settings):
    captions = Captions(list(range(IMAGES)), TEXTS, list(range(0, IMAGES * EACH + 1, EACH)))
    order = np.array([[(image + n) % IMAGES for n in range(IMAGES)] for image in range(IMAGES)], np.int32)
    alike = Likeness(np.eye(IMAGES, dtype=np.float32), order)
    kind = {"contrast": Contrast, "graded": Graded, "joint": Joint}[settings.recipe]
    recipe = kind(captions, alike, Random(settings.seed), settings.pool, settings.pictures)
    recipe.pool = POOL
    if settings.recipe == "contrast":
        recipe.soft, recipe.each, recipe.near = 0.3, 3, 4
    else:
        vectors = torch.randn(IMAGES, EACH, 6, generator=torch.Generator().manual_seed(0))
        recipe.teacher, recipe.others = Teacher(list(range(IMAGES)), vectors / vectors.norm(dim=2, keepdim=True)), 3
    return recipe


def training(settings=SETTINGS):
    torch.set_num_threads(1)
    return Training(small_network(), WordPiece(PIECES), recipe_of(settings), settings)


def same(one, other):
    left, right = one.network.state_dict(), other.network.state_dict()
    return all(torch.equal(left[name], right[name]) for name in left)


@pytest.mark.parametrize("recipe", ["contrast", "graded", "joint"])
def test_four_steps_are_two_steps_and_two_more(tmp_path, recipe):
    whole, first, second = (training(replace(SETTINGS, recipe=recipe)) for _ in range(3))
    whole.run(tmp_path / "whole.pt", 4)
    first.run(tmp_path / "part.pt", 2)
    assert not same(whole, first)
    second.resume(tmp_path / "part.pt")
    second.run(tmp_path / "part.pt", 4)
    assert same(whole, second)
    assert whole.recipe.random.getstate() == second.recipe.random.getstate()


def test_words_and_positions_stay_as_they_are():
    run, before = training(), small_network()
    run.advance()
    for name in ("words", "position"):
        assert torch.equal(getattr(run.network.encoder, name).weight, getattr(before.encoder, name).weight)
    assert not torch.equal(run.network.project.weight, before.project.weight)


def test_frozen_layers_stay_as_they_are():
    run, before = training(replace(SETTINGS, frozen=1)), small_network()
    run.advance()
    assert torch.equal(run.network.encoder.layers[0].up.weight, before.encoder.layers[0].up.weight)
    assert not torch.equal(run.network.encoder.layers[1].up.weight, before.encoder.layers[1].up.weight)


def test_other_settings_are_refused(tmp_path):
    training().run(tmp_path / "run.pt", 1)
    with pytest.raises(SystemExit, match="other settings: rate"):
        training(replace(SETTINGS, rate=1.0)).resume(tmp_path / "run.pt")
