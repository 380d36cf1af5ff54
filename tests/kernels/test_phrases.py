"""Phrases found in a trie, and their paraphrases, against a plain search in lists of words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.kernels.phrases import Phrases
from vericap.lexicon.paraphrases import Paraphrases

WORDS = "a an big dog hound in of small the tiny".split()
PHRASE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
CAPTION = st.lists(st.sampled_from([*WORDS, "zebra"]), max_size=8)


def plainly(pairs: list[tuple[str, str]], captions: list[list[str]]) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Of each caption the beginnings of phrases in it: (start, words), by start and then length."""
    begun = {tuple(phrase.split()[:end]) for pair in pairs for phrase in pair for end in range(1, 5)}
    return [
        [
            (start, tuple(caption[start:end]))
            for start in range(len(caption))
            for end in range(start + 1, len(caption) + 1)
            if tuple(caption[start:end]) in begun
        ]
        for caption in captions
    ]


@given(st.lists(st.tuples(PHRASE, PHRASE), min_size=1, max_size=30, unique=True), st.lists(CAPTION, max_size=4))
def test_phrases_and_paraphrases_of_captions(pairs: list[tuple[str, str]], captions: list[list[str]]) -> None:
    table = Paraphrases.of(pairs)
    numbers = Ragged.of([table.word_numbers(caption).tolist() for caption in captions], np.int32)
    found = table.find(numbers)
    expected = plainly(pairs, captions)
    assert np.diff(found.rows).tolist() == [len(row) for row in expected]
    flat = [(caption, start, words) for caption, row in zip(captions, expected, strict=True) for start, words in row]
    assert found.start.tolist() == [start for _, start, _ in flat]
    assert found.length.tolist() == [len(words) for *_, words in flat]
    # Numbers in the order in which phrases first occur.
    order = list(dict.fromkeys(words for *_, words in flat))
    assert found.number.tolist() == [order.index(words) for *_, words in flat]
    means = {(tuple(source.split()), tuple(target.split())) for source, target in pairs}
    by_length = sorted(order, key=lambda words: (len(words), words))
    assert [[order[p] for p in row] for row in found.paraphrases] == [
        [target for target in by_length if (source, target) in means] for source in order
    ]
    assert [[order[p] for p in row] for row in found.sources] == [
        [source for source in order if (source, target) in means] for target in order
    ]


@pytest.mark.parametrize("words", [100, 70_000])  # numbers of two bytes, and of four
def test_large_vocabularies(words: int) -> None:
    table = Paraphrases.of([(f"w{i} w{words - 1}", f"w{i}") for i in range(words)])
    last = table.word_numbers([f"w{words // 2}", f"w{words - 1}"])
    found = table.find(Ragged(last, np.array([0, 2])))
    assert (found.start.tolist(), found.length.tolist()) == ([0, 0, 1], [1, 2, 1])
    assert found.paraphrases.values.tolist() == [0]


def test_no_table() -> None:
    phrases = Phrases.none(3)
    assert (phrases.rows.tolist(), len(phrases.paraphrases), len(phrases.sources)) == ([0, 0, 0, 0], 0, 0)
