"""Which tags, heads and relations the grammar decides between."""

from __future__ import annotations

import numpy as np

from vericap.kernels.grammar import NEVER
from vericap.scene.caption_grammar import MOST_HEADS, MOST_TAGS, CaptionGrammar, candidates
from vericap.scene.parser import Parser

WORDS = "a man riding a wave on a surfboard".split()


def test_each_word_has_a_likely_tag_and_head_and_never_itself_for_a_head() -> None:
    parser = Parser.load()
    parser._network.learn_words([WORDS])
    (scores,), root = parser._network.scores([WORDS]), parser.relations.index("root")
    (found,) = candidates(scores, root, parser.about["scales"])
    tags = found.tags != NEVER
    assert tags.sum(axis=1).min() >= 1 and tags.sum(axis=1).max() <= MOST_TAGS
    counts = np.diff(found.start)
    assert len(counts) == len(WORDS) and counts.max() <= MOST_HEADS and found.start[-1] == len(found.heads)
    word = np.repeat(np.arange(1, len(WORDS) + 1), counts)
    assert (found.heads != word).all()
    # The root governs by its own relation, and by no other.
    assert ((found.relations != NEVER)[found.heads == 0].nonzero()[1] == root).all()
    assert (found.relations[found.heads > 0][:, root] == NEVER).all()


def test_words_are_known_by_name_or_by_their_ending() -> None:
    grammar = CaptionGrammar(["NN", "VB", "IN", "DT"], ["det", "dobj"], ["on"], ["dog", "on"])
    closed, known = grammar.word_numbers(["Dog", "on", "zorbling", "walking"])
    assert closed.tolist() == [0, 1, 0, 0] and known[:2].tolist() == [0, 1]
    assert known[2] == known[3] != 0
    assert grammar.tag_class[:4].tolist() == [0, 1, 2, 3] and grammar.marks[:2].tolist() == [1, 0]
