"""N-grams of a few captions matched by the kernel, against counts by hand."""

from __future__ import annotations

import numpy as np

from vericap.kernels.consensus import NGramMatcher, trie_table

# Words 0 and 1 and the bigram (0, 1) have weights 0.5, 1.0 and 3.0; everything else 2.0.
PARENT, WORD, WEIGHT = np.array([[-1, -1, 0], [0, 1, 1], [0, 1, 2]], np.int32)


def matcher(order: int = 2) -> NGramMatcher:
    table = trie_table(PARENT, WORD, WEIGHT, 2)
    return NGramMatcher(table, np.array([0, 1], np.int32), np.array([0.5, 1.0, 3.0]), order, 2.0)


def column(*captions: list[int]) -> tuple[np.ndarray, np.ndarray]:
    values = np.array([word for caption in captions for word in caption], np.int32)
    return values, np.cumsum([0, *map(len, captions)])


def test_norms_are_of_tf_times_idf() -> None:
    """Caption 0 1 0 1: unigrams 2 · 0.5 and 2 · 1, bigrams (0 1) twice, (1 0) once and unknown."""
    norms = matcher().squared_norms(*column([0, 1, 0, 1], []))
    np.testing.assert_allclose(norms, [[1 + 4, 36 + 4], [0, 0]])


def test_words_that_no_table_knows_have_the_highest_weight_and_stay_apart() -> None:
    np.testing.assert_allclose(matcher(1).squared_norms(*column([5, 6, 6])), [[4 + 16]])


def test_products_with_and_without_clipping() -> None:
    """0 twice against once: 2 · 0.5 · 1 · 0.5, and clipped half of that."""
    found = matcher().match(column([0, 0]), column([0, 1]), (np.array([0]), np.array([0, 1])))
    np.testing.assert_allclose(found["dot"], [[0.5, 0]])
    np.testing.assert_allclose(found["clipped"], [[0.25, 0]])


def test_matches_are_clipped_by_the_reference_with_most() -> None:
    captions = column([1, 1, 1, 0])
    found = matcher().match(captions, column([1], [1, 1], [9]), (np.array([0, 1, 2]), np.array([0, 3])))
    np.testing.assert_allclose(found["matches"], [[2, 1]])
    np.testing.assert_allclose(found["distinct"], [2])


def test_repetition_compares_counts_word_by_word() -> None:
    """Caption 1 1 1 0: against 1, f = 1/(1 + 2) for 1 and 1/1 for 0; against 9, 1/3 and 1/1."""
    found = matcher().match(column([1, 1, 1, 0]), column([1], [9]), (np.array([0, 1]), np.array([0, 2])))
    np.testing.assert_allclose(np.exp(found["repetition"]), [1 / 3, 1 / 3])
    found = matcher().match(column([1, 1, 0, 0]), column([1, 1, 0]), (np.array([0]), np.array([0, 1])))
    np.testing.assert_allclose(np.exp(found["repetition"]), [1 / 2])


def test_a_matcher_forgets_the_caption_before() -> None:
    one = matcher()
    pairs = np.array([0, 0, 0]), np.array([0, 1, 2, 3])
    found = one.match(column([0, 1], [1, 1, 0, 1], [0, 1]), column([0, 1]), pairs)
    np.testing.assert_array_equal(found["clipped"][0], found["clipped"][2])
    again = one.match(column([0, 1]), column([0, 1]), (np.array([0]), np.array([0, 1])))
    np.testing.assert_array_equal(again["clipped"][0], found["clipped"][0])


def test_every_node_of_a_large_trie_is_found() -> None:
    """300 words and all their 900 bigrams (w, w + 1 … w + 3), each with a weight of its own."""
    words, random = 300, np.random.default_rng(0)
    parent = np.concatenate([np.full(words, -1), np.repeat(np.arange(words), 3)]).astype(np.int32)
    last = np.concatenate([np.arange(words), (np.repeat(np.arange(words), 3) + np.tile([1, 2, 3], words)) % words])
    weights = random.random(len(parent)) + 1
    table = trie_table(parent, last.astype(np.int32), np.arange(len(parent), dtype=np.int32), words)
    large = NGramMatcher(table, np.arange(words, dtype=np.int32), weights, 2, 0.0)
    bigrams = [[int(p), int(w)] for p, w in zip(parent[words:], last[words:], strict=True)]
    np.testing.assert_allclose(large.squared_norms(*column(*bigrams))[:, 1], weights[words:] ** 2)
