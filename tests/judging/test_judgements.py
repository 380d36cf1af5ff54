"""Judgements as columns: items and rows, what is kept together, what people agree on."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from vericap.judging.judgements import Choices, Ratings, Systems
from vericap.judging.protocols import Protocol

HUMAN = np.array([[4.0, 3.0, 4.0], [1.0, 2.0, 1.0], [2.0, 2.0, 3.0], [3.0, 4.0, 2.0]])


@pytest.fixture
def rated():
    return Ratings(
        ["dog", "cat", "dog"],
        [["a dog"], ["a cat", "cats"], ["dogs"]],
        ["one", "two", "three", "four"],
        np.array([0, 1, 1, 2]),
        human=HUMAN,
        systems=["x", "y", "x", "y"],
    )


def test_items_of_one_picture_are_drawn_together(rated):
    assert rated.clusters().tolist() == [0, 1, 0]


def test_the_corpus_has_one_row_per_caption_and_the_references_of_its_item(rated):
    corpus = rated.corpus(rated.references)
    assert list(corpus.candidates) == ["one", "two", "three", "four"]
    assert [list(corpus.references_of(row)) for row in range(4)] == [
        ["a dog"],
        ["a cat", "cats"],
        ["a cat", "cats"],
        ["dogs"],
    ]
    assert not rated.corpus([[], [], []]).has_references


def test_keeping_items_keeps_their_rows_ratings_and_systems(rated):
    kept = rated.keep(np.array([False, True, True]))
    assert list(kept.candidates) == ["two", "three", "four"]
    assert kept.item.tolist() == [0, 0, 1]
    assert (kept.human == HUMAN[1:]).all() and list(kept.systems) == ["y", "x", "y"]
    assert kept.judgements == 9


def test_the_ceiling_is_each_judge_with_the_mean_of_the_others_and_every_two(rated):
    ceiling = rated.ceiling()
    others = [kendalltau(HUMAN[:, k], np.delete(HUMAN, k, axis=1).mean(axis=1)).statistic for k in range(3)]
    two = [pearsonr(a, b).statistic for a, b in combinations(HUMAN.T, 2)]
    assert ceiling["kendall_b"] == pytest.approx(np.mean(others))
    assert ceiling["pairs.pearson"] == pytest.approx(np.mean(two))
    assert Ratings(["dog"], [["a"]], ["b"], np.zeros(1, np.int64), human=np.ones((1, 1))).ceiling() == {}


def test_what_the_protocol_is_about(rated):
    pair = Choices.of(["dog"], [["a dog"]], [("dog", "cat")], [1])
    systems = Systems(["x", "y"], {"M1": np.zeros(2), "M2": np.zeros(2)}, {})
    protocol = Protocol("mine", measure="spearman")
    assert rated.measure(protocol) == "spearman"
    assert rated.measure(protocol.changed(correlation="image")) == "kendall_b"
    assert pair.measure(protocol) == "accuracy.all"
    assert systems.measure(protocol) == "M1.spearman"
    assert (len(systems), systems.judgements, systems.ceiling(), pair.ceiling()) == (2, 4, {}, {})


def test_a_pair_that_divides_people_is_not_a_judgement():
    votes = np.array([[1, -1], [-1, -1]])
    pairs = Choices.of(["a", "b"], [["x"], ["y"]], [("1", "2"), ("3", "4")], [0, -1], votes=votes)
    assert pairs.judgements == 1
    kept = pairs.keep(np.array([False, True]))
    assert (list(kept.candidates), kept.preferred.tolist(), kept.votes.tolist()) == (["3", "4"], [-1], [[-1, -1]])
