"""The parser's network scores words by their letters, met or not, and any batch gives the same scores."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.scene.network import affixes, shape
from vericap.scene.parser import Parser

WORDS = "a man riding a wave".split()


def test_scores_do_not_depend_on_the_batch_in_their_last_bit() -> None:
    network = Parser.load()._network
    network.learn_words([WORDS])
    longer, shorter = [*WORDS, "at", "sea"], WORDS[:2]
    network.learn_words([longer])
    (alone,) = network.scores([WORDS])
    before, among, after = network.scores([longer] * 5 + [WORDS] * 37 + [shorter])
    assert (len(before.tags), len(among.tags), len(after.tags)) == (5, 37, 1)
    assert all((row == alone.tags[0]).all() for row in among.tags)
    assert all((row == alone.heads[0]).all() for row in among.heads)


def test_scores_are_logarithms_of_probabilities() -> None:
    network = Parser.load()._network
    network.learn_words([WORDS])
    (scores,) = network.scores([WORDS])
    assert scores.tags.shape[:2] == (1, 5) and scores.heads.shape == (1, 5, 6)
    assert np.exp(scores.tags).sum(axis=2) == pytest.approx(1) and np.exp(scores.heads).sum(axis=2) == pytest.approx(1)
    arcs = scores.relations(np.array([0, 0]), np.array([0, 1]), np.array([2, 0]))
    assert np.exp(arcs).sum(axis=1) == pytest.approx(1)


def test_a_word_that_was_never_met_is_known_by_its_letters() -> None:
    assert affixes("ab") == ("2ab", "3ab", "4ab", "pab")
    assert (shape("R2D2"), shape("NYC"), shape("!")) == (3, 2, 6)
    tagged = Parser.load().parse([["two", "zorbles", "are", "zorbling"]])[0].tags
    assert tagged[1] == "NNS" and tagged[3] == "VBG"
