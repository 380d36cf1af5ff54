"""Unigram BLEU without a brevity penalty."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.metrics.images import IMAGES, Image, score, scores, statistics, views_of
from tests.metrics.plain_cider import ngrams
from vericap.metrics.bleu_unigram import BleuUnigram

KEY = "bleu-unigram"


def test_it_knows_no_brevity() -> None:
    """Papineni's example of a precise fragment."""
    assert score(KEY, "of the", "of the people by the people") == 1


def test_it_clips_by_the_reference_with_most() -> None:
    assert score(KEY, "the the the the the the the", "the cat is on the mat", "the mat") == 2 / 7


@settings(max_examples=40)
@given(images=IMAGES)
def test_it_is_the_share_of_words_found(images: list[Image]) -> None:
    for (candidate, references), found in zip(images, scores(KEY, images), strict=True):
        words = ngrams(candidate, 1)
        most = {word: max(ngrams(reference, 1)[word] for reference in references) for word in words}
        matched = sum(min(count, most[word]) for word, count in words.items())
        assert found == pytest.approx(matched / max(1, words.total()))


def test_the_corpus_score_sums_words() -> None:
    assert BleuUnigram().aggregate(statistics(KEY, [("a", ["b"]), ("a b c", ["a b c"])])) == 3 / 4


def test_an_explanation_shows_the_precision() -> None:
    why = BleuUnigram().explain(views_of([("x y", ["a"]), ("a b x", ["a b c d"])]), 1)
    assert why.values == {"precision": "2 / 3"}
    assert (why.metric, why.score) == (KEY, pytest.approx(2 / 3))
    assert [part.text for part in why.sections["1-grams"]] == ["a", "b", "x"]
