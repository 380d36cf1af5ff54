"""N-grams counted by kernels are those counted with NumPy, to the last bit."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.corpus import Corpus
from vericap.text import ngram_counts
from vericap.text.ngram_counts import NGramCounter, can_count
from vericap.text.ngrams import Counts, NGrams, Pairs, count_ngrams, longer_stream, unigram_stream
from vericap.text.vocabulary import Tokens
from vericap.views import Views, views

CAPTION = st.lists(st.integers(0, 5), max_size=8)


def arrays(found: NGrams | Counts) -> list[object]:
    """All that there is, as plain values with their types."""

    def plain(value: object) -> object:
        if isinstance(value, Counts):
            return arrays(value)
        value = value() if callable(value) else value
        return (value.dtype, value.tolist()) if isinstance(value, np.ndarray) else value

    return [plain(getattr(found, field.name)) for field in fields(found)]


@given(
    st.lists(st.lists(CAPTION, max_size=4), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 100), CAPTION), max_size=6),
    st.integers(1, 3),
    st.booleans(),
)
def test_the_same_arrays(
    references: list[list[list[int]]], given: list[tuple[int, list[int]]], workers: int, elsewhere: bool
) -> None:
    """Images in any order, several candidates for one, words that do not occur, frequencies of another corpus."""
    image = np.array([number % len(references) for number, _ in given], np.int64)
    offsets = np.cumsum([0, *map(len, references)])
    captions = Ragged.of([caption for _, caption in given] + [each for of in references for each in of], np.int32)
    words = Tokens.split(captions, len(given), [str(word) for word in range(8)])
    pairs = Pairs.of(image, offsets)

    def look_up(example: np.ndarray, order: int) -> tuple[int, np.ndarray]:
        return 50, (np.arange(len(example)) * 7 % 40).astype(np.int32)

    counter = NGramCounter(words, image, offsets, pairs, workers)
    stream = unigram_stream(captions.values, 8)
    for order in range(1, 5):
        if order > 1:
            stream = longer_stream(stream, captions, 8)
        source = look_up if elsewhere else None
        expected = count_ngrams(stream, words, image, offsets, pairs, source)
        assert arrays(counter.count(order, source)) == arrays(expected)


def test_longer_ngrams_and_larger_vocabularies_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngram_counts, "is_compiled", lambda _: True)
    assert [can_count(order, 10) for order in (1, 4, 5)] == [True, True, False]
    assert [can_count(4, size) for size in ((1 << 20) - 1, 1 << 20)] == [True, False]
    monkeypatch.setattr(ngram_counts, "is_compiled", lambda _: False)
    assert not can_count(1, 10)


def test_views_count_longer_ngrams_too(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.from_lists(["a b c d e f", "b a"], [["a b c d e", "c d e f"], ["b"]])
    found = Views(corpus, tokenizer="whitespace")
    counted = [found.ngrams(order) for order in (2, 5, 1, 4)]
    monkeypatch.setattr(views, "can_count", lambda *_: False)
    alone = Views(corpus, tokenizer="whitespace")
    assert [arrays(each) for each in counted] == [arrays(alone.ngrams(order)) for order in (2, 5, 1, 4)]
