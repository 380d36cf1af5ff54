"""CIDEr-R, against the paper's equations 5 to 7 with dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.images import IMAGES, Image, statistics, views_of
from tests.metrics.plain_cider import penalties_of_r, similarity
from vericap.metrics.cider_r import CiderR


@settings(max_examples=40)
@given(images=IMAGES, k_r=st.sampled_from([0.0, 0.5, 0.8, 1.0]), repetition=st.sampled_from(["distinct", "length"]))
def test_it_is_the_clipped_cosine_times_both_penalties(images: list[Image], k_r: float, repetition: str) -> None:
    def one(candidate: str, reference: str, order: int) -> float:
        repeated, length = penalties_of_r(candidate, reference, repetition)
        return similarity(candidate, reference, order, images, clipped=True) * repeated**k_r * length ** (1 - k_r)

    expected = [[10 * np.mean([one(c, r, order) for r in said]) for order in (1, 2, 3, 4)] for c, said in images]
    key = f"cider-r(k_r={k_r},repetition={repetition})"
    np.testing.assert_allclose(statistics(key, images), expected, atol=1e-9)


def test_a_caption_that_repeats_a_word_is_penalised_by_how_often() -> None:
    """ "dog" three times against once: f = 1 / 3, over two distinct words; a word that the reference has not: 1 / 2."""
    views = views_of([("a dog dog dog", ["a dog"]), ("cat cat", ["a bird"])])
    assert CiderR().repetition_penalty(views) == pytest.approx([(1 / 3) ** (1 / 2), 1 / 2])
    assert CiderR(repetition="length").repetition_penalty(views) == pytest.approx([(1 / 3) ** (1 / 4), (1 / 2) ** 0.5])


def test_the_length_penalty_is_relative_to_the_reference() -> None:
    """Ten words more hurt a long caption less than a short one; in CIDEr-D they hurt both alike."""
    short = views_of([("a " * 15, ["a " * 5]), ("a", ["a"])])
    long = views_of([("a " * 60, ["a " * 50]), ("a", ["a"])])
    assert CiderR().length_penalty(short)[0] == pytest.approx(np.exp(-4))
    assert CiderR().length_penalty(long)[0] == pytest.approx(np.exp(-1 / 25))


def test_an_explanation_names_both_penalties() -> None:
    views = views_of([("a dog dog", ["a dog"]), ("a cat", ["a cat"])])
    values = CiderR().explain(views, 0).values
    assert values["repetition penalty, reference 1"] == pytest.approx((1 / 2) ** (1 / 2))
    assert values["length penalty, reference 1"] == pytest.approx(np.exp(-1 / 4))
