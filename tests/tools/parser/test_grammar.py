"""The grammar's training: it learns to prefer silver trees over what the network finds likelier."""

from __future__ import annotations

import numpy as np
import pytest

from tools.parser import grammar as train_grammar
from vericap.kernels.grammar import NEVER
from vericap.scene.caption_grammar import Candidates, CaptionGrammar

pytestmark = pytest.mark.torch

GRAMMAR = CaptionGrammar(["NN", "VBZ"], ["root", "nsubj", "dobj"], [], [])


def tree(tags, heads, relations):
    zeros = np.zeros(len(tags), np.int32)
    return train_grammar.Tree(*(np.array(x, np.int32) for x in (tags, heads, relations)), zeros, zeros)


# "dogs run": the network takes the first word for the root, silver the second.
SILVER = tree([0, 1], [2, 0], [1, 0])
ROOTED, BELOW = [0.0, NEVER, NEVER], [NEVER, 0.0, NEVER]
FOUND = Candidates(
    np.array([[0.0, NEVER], [NEVER, 0.0]]),
    np.array([0, 2, 0, 1], np.int32),
    np.array([0, 2, 4], np.int32),
    np.array([0.0, -40.0, -40.0, 0.0]),
    np.array([ROOTED, BELOW, ROOTED, BELOW]),
)


def tables():
    other = tree([0, 1], [0, 1], [0, 1])
    return train_grammar.tables([SILVER, other], GRAMMAR, 3)


def test_packed_candidates_come_back():
    back = train_grammar.unpack(train_grammar.pack(FOUND))
    for name in ("tags", "heads", "start", "head_scores", "relations"):
        np.testing.assert_array_equal(getattr(back, name), getattr(FOUND, name))


def test_silver_trees_win_after_training():
    seen = tables()
    numbers = (FOUND.tags, FOUND.heads, FOUND.start, FOUND.head_scores, FOUND.relations, SILVER.closed, SILVER.words)

    def heads(weights):
        return train_grammar.searcher(GRAMMAR, seen, weights).best_tree(*numbers)[1].tolist()

    assert heads(np.zeros(train_grammar.SIZE, np.float32)) == [0, 1]
    epochs = train_grammar.train(
        lambda w: train_grammar.searcher(GRAMMAR, seen, w), [train_grammar.pack(FOUND)] * 20, [SILVER] * 20, 3, 1
    )
    weights, counts = list(epochs)[-1]
    assert heads(weights.astype(np.float32)) == [2, 0]
    assert counts.get("out of reach", 0) == 0


def test_a_silver_tree_out_of_reach_is_told():
    unreachable = tree([1, 1], [2, 0], [1, 0])  # its first tag is no candidate
    assert train_grammar.with_margin(FOUND, unreachable) is None
    margin = train_grammar.with_margin(FOUND, SILVER)
    assert margin is not None
    # Arcs of the silver tree keep their scores, the others gain.
    assert (margin.head_scores - FOUND.head_scores).tolist() == [train_grammar.MARGIN, 0, 0, train_grammar.MARGIN]
