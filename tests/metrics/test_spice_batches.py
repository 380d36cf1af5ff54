"""SPICE of batches: what is kept of the batches before does not change a number."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reward.captions import IMAGES, REFERENCES, SAMPLES
from vericap.metrics import spice
from vericap.reward import Reward
from vericap.scene import caption_graphs


def test_references_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reward = Reward("spice", REFERENCES)
    first = reward(SAMPLES, IMAGES)
    parsed: list[list[str]] = []
    original = caption_graphs.caption_propositions

    def counting(captions, *settings):  # type: ignore[no-untyped-def]
        parsed.extend(captions)
        return original(captions, *settings)

    monkeypatch.setattr(spice, "caption_propositions", counting)
    np.testing.assert_array_equal(reward(SAMPLES, IMAGES), first)
    assert [" ".join(words) for words in parsed] == SAMPLES


def test_images_beyond_those_kept_are_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Reward("spice", REFERENCES)(SAMPLES, IMAGES)
    monkeypatch.setattr(spice, "KEPT_IMAGES", 1)
    reward = Reward("spice", REFERENCES)
    for _ in range(2):
        np.testing.assert_array_equal(reward(SAMPLES, IMAGES), expected)
    [kept] = reward.index.kept.values()
    assert len(kept) == 1


def test_spice_and_spice_without_synonyms_keep_graphs_of_their_own() -> None:
    reward = Reward({"spice": 1, "spice-exact": 1}, {1: ["a bike on a road"], 2: ["a cat"]})
    parts = reward.parts(["a bicycle on a street"], [1])
    assert parts["spice"][0] > parts["spice-exact"][0]
