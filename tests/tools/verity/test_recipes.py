"""What a step of training draws, and what it asks of z."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.metrics.verity.models import torch
from tests.tools.verity.test_train import SETTINGS, recipe_of
from tools.verity.recipes import Contrast, Graded, cross_entropy
from tools.verity.spoilt import KINDS


@pytest.mark.parametrize("recipe", ["contrast", "graded"])
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
