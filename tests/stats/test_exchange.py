"""The permutation test of two captioners, against every exchange written down."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap.metrics.bleu import Bleu
from vericap.metrics.rouge_l import RougeL
from vericap.stats.paired import exchange_test, permutation_test

BLEU = Bleu(1)
# (words, words of the reference, matches, n-grams) of a caption, as BLEU-1 sums them.
ROW = st.tuples(st.integers(3, 9), st.integers(3, 9), st.integers(0, 3)).map(lambda row: (*row, row[0]))


@settings(max_examples=25)
@given(st.lists(st.tuples(ROW, ROW), min_size=2, max_size=6))
def test_it_approaches_the_share_of_all_exchanges(rows: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> None:
    """BLEU sums over the corpus, so each exchange is a corpus of its own, scored anew."""
    first, second = (np.array(side, float) for side in zip(*rows, strict=True))
    image = np.arange(len(rows))

    def apart(swap: np.ndarray) -> float:
        mine, theirs = np.where(swap, second, first), np.where(swap, first, second)
        return abs(BLEU.aggregate(mine) - BLEU.aggregate(theirs))

    observed = apart(np.zeros((len(rows), 1), bool))
    exchanges = [np.array(each)[:, None] for each in product([False, True], repeat=len(rows))]
    exact = np.mean([apart(swap) >= observed - 1e-12 for swap in exchanges])
    assert exchange_test(BLEU, first, second, image, image, resamples=3000) == pytest.approx(exact, abs=0.04)


def test_captions_of_an_image_change_places_together() -> None:
    """Ten copies of each caption are no further evidence: with the same draws, the same p."""
    random = np.random.default_rng(3)
    first, second = random.random((12, 2)), random.random((12, 2))
    image = np.arange(12)
    once = exchange_test(RougeL(), first, second, image, image, resamples=400)
    tenfold = [np.repeat(each, 10, axis=0) for each in (first, second)]
    assert exchange_test(RougeL(), *tenfold, *[np.repeat(image, 10)] * 2, resamples=400) == once
    assert exchange_test(RougeL(), *tenfold, *[np.arange(120)] * 2, resamples=400) < once


def test_of_a_mean_over_captions_it_is_the_test_of_the_means() -> None:
    random = np.random.default_rng(4)
    first, second = random.random((2, 30, 2))
    image = np.arange(30)
    scores = [RougeL().score(each) for each in (first, second)]
    found = exchange_test(RougeL(), first, second, image, image, resamples=500, seed=7)
    assert found == permutation_test(*scores, image, resamples=500, seed=7)


def test_captioners_may_have_captions_of_different_images() -> None:
    good, bad = np.full((6, 2), 0.9), np.full((8, 2), 0.2)
    found = exchange_test(RougeL(), good, bad, np.arange(6), np.arange(8), resamples=500)
    assert 1 / 501 <= found < 0.1


def test_a_captioner_does_not_differ_from_itself_and_nothing_is_undefined() -> None:
    same, image = np.random.default_rng(0).random((9, 2)), np.arange(9)
    assert exchange_test(RougeL(), same, same, image, image, resamples=99) == 1
    undefined = np.full((2, 2), np.nan)
    assert np.isnan(exchange_test(RougeL(), undefined, undefined, np.arange(2), np.arange(2), resamples=9))
