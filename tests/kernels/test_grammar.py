"""The grammar's best tree against all trees."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from vericap.kernels.grammar import NEVER, Grammar

WORDS, TAGS = 3, 2
SIDES = [(word, head) for word in range(WORDS) for head in range(WORDS + 1) if head != word + 1]


def is_tree(heads):
    """Projective, with one root."""
    if sum(head == 0 for head in heads) != 1:
        return False
    for word in range(len(heads)):
        at, steps = word + 1, 0
        while at:
            at, steps = heads[at - 1], steps + 1
            if steps > len(heads):
                return False
    arcs = [sorted((word + 1, head)) for word, head in enumerate(heads)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@pytest.fixture
def tables():
    marks = np.zeros(64, np.int32)
    marks[1] = 1
    tag_class = np.zeros(64, np.int32)
    tag_class[1] = 1
    siblings = (np.arange(4096).reshape(64, 64) % 60).astype(np.int32)
    return tag_class, marks, siblings, np.full((64, 64), 0xFFFF, np.int32), np.ones((64, 2, 64, 64), np.uint8)


def sentence(random):
    """Random scores for three words; relation 2 is the root's."""
    heads = np.array([head for _, head in SIDES], np.int32)
    start = np.arange(0, WORDS * WORDS + 1, WORDS, dtype=np.int32)
    tags = np.rint(random.normal(size=(WORDS, TAGS)) * 100)
    relations = np.rint(random.normal(size=(len(SIDES), 3)) * 100)
    relations[heads == 0, :2] = NEVER
    relations[heads > 0, 2] = NEVER
    arcs = np.rint(random.normal(size=len(SIDES)) * 100)
    return tags, heads, start, arcs, relations, random.integers(0, 3, WORDS).astype(np.int32)


@pytest.mark.parametrize("seed", range(3))
def test_no_tree_is_better(tables, seed):
    random = np.random.default_rng(seed)
    weights = np.rint(random.normal(size=2**16) * 60).astype(np.float32)
    grammar = Grammar(weights, *tables)
    *scores, words = sentence(random)
    tags, _, _, arcs, relations = scores

    def score(tag, head, relation):
        total = grammar.add_tree(0.0, *(np.array(x, np.int32) for x in (tag, head, relation)), words, words)
        for word in range(WORDS):
            arc = SIDES.index((word, head[word]))
            total += tags[word, tag[word]] + arcs[arc] + relations[arc, relation[word]]
        return total

    best = max(
        (score(tag, head, relation), tag, head, relation)
        for head in product(range(WORDS + 1), repeat=WORDS)
        if all(head[word] != word + 1 for word in range(WORDS)) and is_tree(head)
        for tag in product(range(TAGS), repeat=WORDS)
        for relation in product(*([2] if h == 0 else [0, 1] for h in head))
    )
    found = grammar.best_tree(*scores, words, words)
    assert found is not None
    assert tuple(map(tuple, found.tolist())) == best[1:]
    small = Grammar(weights.astype(np.int16), *tables).best_tree(*scores, words, words)
    assert small.tolist() == found.tolist()


def test_candidates_without_a_tree(tables):
    grammar = Grammar(np.zeros(2**10, np.float32), *tables)
    tags, words = np.zeros((2, 1)), np.zeros(2, np.int32)
    both_roots = (np.zeros(2, np.int32), np.arange(3, dtype=np.int32), np.zeros(2), np.zeros((2, 1)))
    assert grammar.best_tree(tags, *both_roots, words, words) is None


def test_adding_a_tree_raises_its_score(tables):
    weights = np.zeros(2**16, np.float32)
    grammar = Grammar(weights, *tables)
    tree = [np.array(x, np.int32) for x in ([0, 1], [2, 0], [1, 2])]
    words = np.zeros(2, np.int32)
    # Two words in a state (3 features each), two arcs (7), four sides closed (2).
    assert grammar.add_tree(1.0, *tree, words, words) == 2 * 3 + 2 * 7 + 4 * 2
    assert weights.sum() == 28
    grammar.add_tree(-1.0, *tree, words, words)
    assert not weights.any()


def test_weights_of_16_bits_are_not_trained(tables):
    grammar = Grammar(np.ones(2**10, np.int16), *tables)
    tree = [np.array(x, np.int32) for x in ([0, 1], [2, 0], [1, 2])]
    words = np.zeros(2, np.int32)
    assert grammar.add_tree(0.0, *tree, words, words) == 2 * 3 + 2 * 7 + 4 * 2
    with pytest.raises(ValueError, match="float32"):
        grammar.add_tree(1.0, *tree, words, words)
