"""CIDEr-D, against the formula of COCO's code with dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.images import IMAGES, Image, scores, statistics, views_of
from tests.metrics.plain_cider import length_penalty_of_d, similarity
from vericap.metrics.cider_d import CiderD, bigrams


@settings(max_examples=40)
@given(images=IMAGES, sigma=st.sampled_from([1.0, 6.0]))
def test_it_is_the_clipped_cosine_times_the_length_penalty(images: list[Image], sigma: float) -> None:
    expected = [
        [
            10 * np.mean([similarity(c, r, n, images, clipped=True) * length_penalty_of_d(c, r, sigma) for r in said])
            for n in (1, 2, 3, 4)
        ]
        for c, said in images
    ]
    np.testing.assert_allclose(statistics(f"cider-d(sigma={sigma})", images), expected, atol=1e-9)


def test_repeating_a_word_does_not_pay() -> None:
    """In CIDEr a caption that says the rare word again may gain; here its second "dog" counts for nothing."""
    references = ["a dog dog park", "dog on grass", "a dog"]
    others = [("a cat", ["a cat"]), ("a bird", ["a bird"])]
    once, again = (
        scores("cider-d(n=1)", [(caption, references), *others])[0] for caption in ("dog", "dog dog dog dog")
    )
    assert again < once


def test_the_length_is_the_number_of_bigrams() -> None:
    """So a word more than none is no longer: both have no bigram."""
    assert bigrams(np.array([0, 1, 2, 7])).tolist() == [0, 0, 1, 6]
    views = views_of([("", ["dog"]), ("a dog runs far", ["a"])])
    assert CiderD(sigma=1.0).penalty(views) == pytest.approx([1, np.exp(-9 / 2)])


def test_an_explanation_names_the_penalty_of_each_reference() -> None:
    views = views_of([("a dog runs", ["a dog runs", "a dog"]), ("a cat", ["a cat"])])
    values = CiderD().explain(views, 0).values
    assert values["length penalty, reference 1"] == 1
    assert values["length penalty, reference 2"] == pytest.approx(np.exp(-1 / 72))
