"""A run that is stopped and resumed gives the weights of one that is not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.encoders.models import PIECES
from tests.metrics.verity.models import small_network, torch
from tools.verity.captions import Captions, Likeness
from tools.verity.spoilt import KINDS, Pool
from tools.verity.teacher import Teacher
from tools.verity.train import SHARES, Sampler, Settings, Training
from vericap.encoders.wordpiece import WordPiece

SETTINGS = Settings(steps=4, pictures=2, near=2, random=3, longest=20)
IMAGES, EACH = 9, 5
TEXTS = [
    f"a {animal} {does} on the street with {number} red ball"
    for animal in ("dog", "cat", "man")
    for does in ("runs", "sits", "plays")
    for number in ("a", "two", "the", "one", "no")
]
POOL = Pool(["dog", "ball"], {"dog", "ball"}, [["with", "a", "ball"]], {"dog", "red", "ball"})


def training(settings=SETTINGS):
    torch.set_num_threads(1)
    captions = Captions(list(range(IMAGES)), TEXTS, list(range(0, IMAGES * EACH + 1, EACH)))
    order = np.array([[(image + n) % IMAGES for n in range(IMAGES)] for image in range(IMAGES)], np.int32)
    alike = Likeness(np.eye(IMAGES, dtype=np.float32), order)
    vectors = torch.randn(IMAGES, EACH, 6, generator=torch.Generator().manual_seed(0))
    teacher = Teacher(list(range(IMAGES)), vectors / vectors.norm(dim=2, keepdim=True))
    sampler = Sampler(captions, alike, teacher, settings, Random(settings.seed))
    sampler.pool = POOL
    return Training(small_network(), WordPiece(PIECES), sampler, settings)


def same(one, other):
    left, right = one.network.state_dict(), other.network.state_dict()
    return all(torch.equal(left[name], right[name]) for name in left)


def test_four_steps_are_two_steps_and_two_more(tmp_path):
    whole, first, second = training(), training(), training()
    whole.run(tmp_path / "whole.pt", 4)
    first.run(tmp_path / "part.pt", 2)
    assert not same(whole, first)
    second.resume(tmp_path / "part.pt")
    second.run(tmp_path / "part.pt", 4)
    assert same(whole, second)
    assert whole.sampler.random.getstate() == second.sampler.random.getstate()


def test_words_and_positions_stay_as_they_are():
    run, before = training(), small_network()
    run.advance()
    for name in ("words", "position"):
        assert torch.equal(getattr(run.network.encoder, name).weight, getattr(before.encoder, name).weight)
    assert not torch.equal(run.network.project.weight, before.project.weight)


def test_other_settings_are_refused(tmp_path):
    training().run(tmp_path / "run.pt", 1)
    with pytest.raises(SystemExit, match="other settings: rate"):
        training(replace(SETTINGS, rate=1.0)).resume(tmp_path / "run.pt")


def test_every_kind_of_spoiling_has_a_share():
    assert SHARES.keys() == KINDS.keys()


def test_captions_are_not_among_their_own_references():
    batch = training().sampler.draw()
    for place, caption in enumerate(batch.captions):
        own = [text for text, of in zip(batch.references, batch.reference_of, strict=True) if of == place]
        assert 1 <= len(own) <= 4 and caption not in own
