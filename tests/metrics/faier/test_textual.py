"""The textual scene graph (section 3.1) against a slow version that reads like it."""

from __future__ import annotations

import pytest
import torch

from tests.metrics.faier.slow_graphs import D, pack, slow_gru
from vericap.metrics.faier.graphs import GraphLevel
from vericap.metrics.faier.textual import TripletEncoder, WordEncoder

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


def test_word_encoder_is_the_hidden_state_at_each_word() -> None:
    encoder, e, captions = WordEncoder(5, D), torch.randn(9, 5), [[3, 1, 4, 1, 5, 8], [2], [6, 5, 3]]
    packed = pack(captions)
    found = GraphLevel(encoder(e, packed), packed.place, packed.mask).padded()
    for caption, words in enumerate(captions):
        forward, backward = slow_gru(encoder.onward, e[words]), slow_gru(encoder.back, e[words[::-1]])[::-1]
        for k in range(len(words)):
            assert torch.allclose(found[caption, k], torch.cat([forward[k], backward[k]]))


def test_triplet_encoder_is_the_last_hidden_state() -> None:
    encoder, e, triplets = TripletEncoder(5, D), torch.randn(9, 5), [[3, 1, 4], [1, 5, 8, 2]]
    found = encoder(e, pack(triplets))
    for triplet, words in enumerate(triplets):
        forward, backward = slow_gru(encoder.onward, e[words])[-1], slow_gru(encoder.back, e[words[::-1]])[-1]
        assert torch.allclose(found[triplet], torch.cat([forward, backward]))
