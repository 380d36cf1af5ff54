"""The network for training takes MiniLM's layers as they are, and texts do not see each other."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.encoders.models import CAPTIONS, PIECES, write_bert
from tests.tools.verity.networks import small_network
from tools.verity.network import of_minilm, of_vectors
from vericap.encoders import Encoder
from vericap.encoders.wordpiece import WordPiece

pytestmark = pytest.mark.torch


def ids_of(texts):
    return list(WordPiece(PIECES)(texts, 20).ids)


def test_the_layers_are_those_of_the_model(tmp_path):
    write_bert(tmp_path)
    network = of_minilm(tmp_path, [0, 1, 2])
    with torch.no_grad():
        state, inside = network.encoder(list(WordPiece(PIECES)(CAPTIONS, 64).ids))
    expected = Encoder.load(tmp_path).encode(CAPTIONS)
    assert state[inside].numpy() == pytest.approx(expected.values, abs=1e-4)


def test_a_text_does_not_see_the_others_of_its_batch():
    network = small_network()
    with torch.no_grad():
        together, alone = (
            network.texts(ids_of(["a dog", "two cats and a man on the street"])),
            network.texts(ids_of(["a dog"])),
        )
    assert together.vectors[0, :4].numpy() == pytest.approx(alone.vectors[0].numpy(), abs=1e-5)
    assert together.weights[0, 4:].sum() == 0


def test_gradients_reach_every_part_but_not_across_pictures():
    network = small_network()
    texts = network.texts(ids_of(["a dog", "a cat", "the dog runs", "two cats"]))
    z = network(texts.rows(0, 2), texts.rows(2), torch.tensor([0, 1]))
    assert z.shape == (2, 2)
    z.sum().backward()
    for name in ("raw", "bias", "single"):
        assert np.isfinite(getattr(network, name).grad.numpy()).all()
    assert network.project.weight.grad.abs().sum() > 0


def test_without_a_bert_words_that_mean_the_same_are_near_from_the_start(tmp_path):
    write_bert(tmp_path)
    network = of_vectors(tmp_path, 2)
    with torch.no_grad():
        vectors = network.encoder.words.weight
        dog, cat, street = (vectors[PIECES.index(word)] for word in ("dog", "cat", "street"))
        assert torch.cosine_similarity(dog, cat, 0) > torch.cosine_similarity(dog, street, 0)
        # A layer adds nothing at first: where a word stands does not matter.
        one, other = network.texts(ids_of(["a dog runs", "runs a dog"])).vectors
    assert one[1].numpy() == pytest.approx(other[2].numpy(), abs=1e-5)
