"""A tree depends on its sentence alone."""

from __future__ import annotations

import pytest

from vericap.scene.parser import Parser, batches_by_length

CAPTIONS = [
    "a man riding a wave on top of a surfboard",
    "two women are sitting at a white table",
    "a black and white cat lies on a bed",
    "a dog",
    "a person holding a cell phone in front of a mirror",
    "there are three zebras standing in the grass near a tree",
]


@pytest.mark.parametrize("caption", CAPTIONS)
def test_a_tree_does_not_depend_on_the_batch(caption: str) -> None:
    parser = Parser.load()
    words = caption.split()
    (alone,) = parser.parse([words])
    among = parser.parse([c.split() for c in CAPTIONS * 40] + [words])[-1]
    backwards = parser.parse([c.split() for c in reversed(CAPTIONS)])[len(CAPTIONS) - 1 - CAPTIONS.index(caption)]
    assert alone == among == backwards


def test_a_tree_does_not_depend_on_the_number_of_processes() -> None:
    sentences = [f"a dog near {number} cats".split() for number in range(1200)]
    parser = Parser.load()
    assert parser.parse_each(sentences, lambda tree: tree, workers=2) == parser.parse(sentences)


def test_every_sentence_is_in_one_batch_and_the_longest_come_first() -> None:
    sentences = [caption.split() for caption in CAPTIONS] * 300
    batches = list(batches_by_length(sentences))
    assert len(batches) > 1
    assert sorted(row for batch in batches for row in batch) == list(range(len(sentences)))
    lengths = [len(sentences[row]) for batch in batches for row in batch]
    assert lengths == sorted(lengths, reverse=True)


def test_every_word_has_a_tag_a_lemma_and_one_way_to_the_root() -> None:
    for sentence in Parser.load().parse([caption.split() for caption in CAPTIONS]):
        assert len(sentence.tags) == len(sentence.lemmas) == len(sentence.words)
        assert list(sentence.heads).count(-1) == 1
        for word in range(len(sentence.words)):
            way = [word]
            while sentence.heads[way[-1]] != -1:
                way.append(sentence.heads[way[-1]])
                assert len(way) <= len(sentence.words)
