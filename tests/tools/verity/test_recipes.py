"""What a step of training draws, and what it asks of z."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.tools.verity.test_train import SETTINGS, recipe_of
from tools.verity.recipes import Contrast, Graded, cross_entropy
from tools.verity.spoilt import KINDS

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("recipe", ["contrast", "graded", "joint"])
def test_captions_are_not_among_their_own_references(recipe):
    batch = recipe_of(replace(SETTINGS, recipe=recipe)).draw()
    for place, caption in enumerate(batch.captions):
        own = [text for text, of in zip(batch.references, batch.reference_of, strict=True) if of == place]
        assert 1 <= len(own) <= 4 and caption not in own


def test_every_kind_of_spoiling_has_a_share():
    assert Contrast.shares.keys() == Graded.shares.keys() == KINDS.keys()


def test_cross_entropy_is_least_where_each_caption_finds_its_picture():
    same = torch.eye(3)
    right, wrong = (cross_entropy(9 * z, same, same).item() for z in (same, same.flip(0)))
    assert right < 0.01 < wrong


def test_whole_texts_that_are_as_alike_as_the_teacher_finds_them_cost_nothing():
    joint = recipe_of(replace(SETTINGS, recipe="joint"))
    batch = joint.draw()
    vectors = joint.teacher.vectors[batch.pictures]
    captions = vectors[range(len(batch.which)), batch.which]
    references = vectors[batch.reference_of, batch.reference_which]
    assert joint.kept(captions, references, batch).item() == pytest.approx(0, abs=1e-9)
    assert joint.kept(captions, -references, batch).item() > 0.1


def test_references_are_known_by_their_place_among_the_captions():
    batch = (recipe := recipe_of(replace(SETTINGS, recipe="joint"))).draw()
    for text, place, which in zip(batch.references, batch.reference_of, batch.reference_which, strict=True):
        assert recipe.captions.of(batch.pictures[place])[which] == text
