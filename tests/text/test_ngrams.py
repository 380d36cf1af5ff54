"""N-grams as arrays against n-grams counted in dicts of words, and against NumPy's sorting to the last bit."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.plain_ngrams import count_ngrams, numbered
from vericap.arrays import Ragged
from vericap.corpus import Corpus
from vericap.text.ngrams import Counts, NGramCounter, NGrams, Pairs, SortedNGrams, inverse_document_frequency
from vericap.text.vocabulary import Tokens
from vericap.views import Views

CAPTION = st.lists(st.sampled_from("a dog cat runs on grass".split()), max_size=7).map(" ".join)
NUMBERS = st.lists(st.integers(0, 5), max_size=12)
IMAGES = st.lists(st.lists(CAPTION, max_size=4), min_size=1, max_size=5)


def counted(text: str, order: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def count(candidates: list[str], references: list[list[str]], order: int) -> tuple[NGrams, Tokens, Pairs]:
    corpus = Corpus.from_lists(candidates, references)
    views = Views(corpus, tokenizer="whitespace")
    return views.ngrams(order), views.words, views.pairs


def spelled(found: NGrams, words: Tokens, ngram: int) -> tuple[str, ...]:
    start = int(found.example[ngram])
    return tuple(words.spell(words.captions.values[start : start + found.order]))


@given(IMAGES, st.data(), st.integers(1, 6))
def test_counts_frequencies_and_matches(references: list[list[str]], data: st.DataObject, order: int) -> None:
    candidates = [data.draw(CAPTION) for _ in references]
    found, words, pairs = count(candidates, references, order)
    names = {g: spelled(found, words, g) for g in {*found.candidates.ngram.tolist()}}
    ours = [counted(text, order) for text in candidates]
    entries = zip(found.candidates.caption, found.candidates.ngram, found.candidates.count, strict=True)
    assert {(c, names[g]): n for c, g, n in (map(int, entry) for entry in entries)} == {
        (i, ngram): n for i, own in enumerate(ours) for ngram, n in own.items()
    }
    frequency = Counter(ngram for texts in references for ngram in {n for text in texts for n in counted(text, order)})
    assert {names[g]: int(found.document_frequency[g]) for g in names} == {n: frequency[n] for n in names.values()}
    expected = Counter()
    for i, texts in enumerate(references):
        for j, text in enumerate(texts):
            for ngram, n in counted(text, order).items():
                if ngram in ours[i]:
                    expected[i, j, ngram] = n
    matches = zip(found.match_candidate.tolist(), found.match_pair.tolist(), found.match_count.tolist(), strict=True)
    place = np.arange(len(pairs)) - pairs.offsets[pairs.candidate]
    assert expected == {
        (int(pairs.candidate[p]), int(place[p]), names[int(found.candidates.ngram[e])]): n for e, p, n in matches
    }


@given(IMAGES, st.integers(1, 3))
def test_norms_are_lengths_of_tf_idf_vectors(references: list[list[str]], order: int) -> None:
    candidates = [texts[0] if texts else "a dog" for texts in references]
    found, _, _ = count(candidates, references, order)
    frequency = Counter(ngram for texts in references for ngram in {n for text in texts for n in counted(text, order)})

    def norm(text: str) -> float:
        weights = [n * log(len(references) / max(1, frequency[g])) for g, n in counted(text, order).items()]
        return sqrt(sum(weight**2 for weight in weights))

    assert found.norm == pytest.approx([norm(text) for text in candidates])
    assert found.reference_norm == pytest.approx([norm(text) for texts in references for text in texts])


@given(IMAGES, st.data())
def test_some_rows_are_the_same_as_alone_but_for_frequencies(references: list[list[str]], data: st.DataObject) -> None:
    candidates = [data.draw(CAPTION) for _ in references]
    corpus = Corpus.from_lists(candidates, references)
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, len(candidates) - 1)))), np.int64)
    found, _, pairs = count(candidates, references, 2)
    own = Pairs.of(corpus.image[rows], corpus.reference_offsets)
    taken_references = np.unique(own.reference)
    few = found.take(rows, taken_references, pairs, own)
    assert few.norm.tolist() == found.norm[rows].tolist()
    whole = {
        (int(pairs.candidate[p]), int(pairs.reference[p]), int(found.candidates.ngram[e]))
        for e, p in zip(found.match_candidate, found.match_pair, strict=True)
    }
    assert {
        (int(rows[own.candidate[p]]), int(own.reference[p]), int(few.candidates.ngram[e]))
        for e, p in zip(few.match_candidate, few.match_pair, strict=True)
    } == {match for match in whole if match[0] in set(rows.tolist())}


def test_a_word_of_every_document_weighs_nothing() -> None:
    assert inverse_document_frequency(5, np.array([5])).tolist() == [0.0]
    assert inverse_document_frequency(0, np.array([0])).tolist() == [0.0]


def test_pairs_reduce_over_references() -> None:
    pairs = Pairs.of(np.array([1, 0, 2]), np.array([0, 2, 2, 3]))
    assert pairs.reference.tolist() == [0, 1, 2]
    values = np.array([3.0, -1.0, -5.0])
    assert pairs.sum_by_candidate(values).tolist() == [0.0, 2.0, -5.0]
    assert pairs.max_by_candidate(values).tolist() == [0.0, 3.0, -5.0]
    assert pairs.min_by_candidate(values).tolist() == [0.0, -1.0, -5.0]


def arrays(found: NGrams | Counts) -> list[object]:
    """All that there is, as plain values with their types."""

    def plain(value: object) -> object:
        if isinstance(value, Counts):
            return arrays(value)
        value = value() if callable(value) else value
        return (value.dtype, value.tolist()) if isinstance(value, np.ndarray) else value

    return [plain(getattr(found, field.name)) for field in fields(found)]


@given(
    st.lists(st.lists(NUMBERS, max_size=4), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 100), NUMBERS), max_size=6),
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
    for order in range(1, 10):
        source = look_up if elsewhere else None
        expected = count_ngrams(order, words, image, offsets, pairs, source)
        assert arrays(counter.count(order, source)) == arrays(expected)


@pytest.mark.parametrize("size", [6, (1 << 20) - 1, 1 << 20, 1 << 21])
def test_any_order_of_any_vocabulary(size: int) -> None:
    """Four words of a vocabulary of 20 bits are sorted at once, and three of a larger one."""
    random = np.random.default_rng(0)
    captions = Ragged.of([random.integers(0, 3, length).tolist() for length in (9, 0, 1, 12, 3, 5, 40)], np.int32)
    ngrams = SortedNGrams(Ragged(captions.values + np.int32(size - 3), captions.offsets), size)
    for order in range(2, 43):
        expected, distinct, example = numbered(captions, order, 3)
        column = ngrams.column(order)
        assert (ngrams.distinct(order), ngrams.examples(order).tolist()) == (distinct, example.tolist())
        assert column[column >= 0].tolist() == expected.values.tolist()
        assert ngrams.lengths(order).tolist() == expected.lengths.tolist()
