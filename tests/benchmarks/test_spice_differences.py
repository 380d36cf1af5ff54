"""Differences between two parsers' trees have the kind a linguist would give them."""

from __future__ import annotations

import pytest

from benchmarks.papers.spice_differences import SAME_TREE, TAGS, Tally, is_cut, kind_of, tag_kind
from vericap.scene.dependencies import Sentence


def tree(words: str, tags: str, heads: list[int], relations: str) -> Sentence:
    """A sentence whose heads are 1-based."""
    return Sentence(words.split(), tags.split(), words.split(), [head - 1 for head in heads], relations.split())


# "a man on a bench in a park": the park has the bench, or the man is in it.
WORDS, TAGS_OF_IT = "man on bench in park", "NN IN NN IN NN"
LOW = tree(WORDS, TAGS_OF_IT, [0, 3, 1, 5, 3], "root case nmod case nmod")
HIGH = tree(WORDS, TAGS_OF_IT, [0, 3, 1, 5, 1], "root case nmod case nmod")


def test_a_tree_does_not_differ_from_itself():
    assert kind_of(LOW, LOW) is None


def test_where_a_prepositional_phrase_hangs():
    assert kind_of(LOW, HIGH) == kind_of(HIGH, LOW) == "attachment of prepositions"


def test_a_tag_comes_before_the_arcs_that_follow_from_it():
    compound = tree("orange juice", "NN NN", [2, 0], "compound root")
    adjective = tree("orange juice", "JJ NN", [2, 0], "amod root")
    assert kind_of(compound, adjective) == "noun or adjective"


def test_conjuncts():
    near = tree("cat on mat and dog", "NN IN NN CC NN", [0, 3, 1, 3, 3], "root case nmod cc conj")
    far = tree("cat on mat and dog", "NN IN NN CC NN", [0, 3, 1, 1, 1], "root case nmod cc conj")
    assert kind_of(near, far) == "coordination"


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("NNS", "VBZ", "noun or verb"),
        ("VBG", "NN", "noun or participle"),
        ("VBN", "JJ", "adjective or participle"),
        ("CD", "NN", "numbers"),
        ("RB", "RP", "preposition, particle or adverb"),
        ("DT", "SYM", "other tags"),
    ],
)
def test_two_tags(first, second, kind):
    assert tag_kind(first, second) == tag_kind(second, first) == kind
    assert kind in TAGS


def test_a_caption_that_stops_in_the_middle():
    assert is_cut(tree("man on the", "NN IN DT", [0, 1, 1], "root nmod det"))
    assert not is_cut(LOW)


def test_propositions_that_differ_under_the_same_tree_have_a_kind_too():
    tally = Tally()
    tally.add(None, 0, 4)
    tally.add(None, 2, 4)
    assert (tally.trees, tally.by_kind[SAME_TREE], tally.propositions_by_kind[SAME_TREE]) == (1, 1, 2)
