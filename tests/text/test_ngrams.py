"""N-grams as arrays against n-grams counted in dicts of words."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus
from vericap.text import ngrams
from vericap.text.ngrams import NGrams, Pairs, count_ngrams, inverse_document_frequency, longer_stream, unigram_stream
from vericap.text.vocabulary import Tokens
from vericap.views import Views

CAPTION = st.lists(st.sampled_from("a dog cat runs on grass".split()), max_size=7).map(" ".join)
IMAGES = st.lists(st.lists(CAPTION, max_size=4), min_size=1, max_size=5)


def counted(text: str, order: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def count(candidates: list[str], references: list[list[str]], order: int) -> tuple[NGrams, Tokens, Pairs]:
    corpus = Corpus.from_lists(candidates, references)
    views = Views(corpus, tokenizer="whitespace")
    words = views.words
    stream = unigram_stream(words.captions.values, len(words.words))
    for _ in range(order - 1):
        stream = longer_stream(stream, words.captions, len(words.words))
    return count_ngrams(stream, words, corpus.image, corpus.reference_offsets, views.pairs), words, views.pairs


def spelled(found: NGrams, words: Tokens, ngram: int) -> tuple[str, ...]:
    start = int(found.example[ngram])
    return tuple(words.spell(words.captions.values[start : start + found.order]))


@pytest.mark.parametrize("block", [1, 1 << 16])  # one image at a time, and all at once
@given(IMAGES, st.data(), st.integers(1, 4))
def test_counts_frequencies_and_matches(
    block: int, references: list[list[str]], data: st.DataObject, order: int
) -> None:
    candidates = [data.draw(CAPTION) for _ in references]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ngrams, "BLOCK", block)
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
