"""`PTBTokenizer` takes captions in the shapes of all code bases, called on the class or on an object."""

from __future__ import annotations

from multiprocessing.pool import ThreadPool
from typing import Any

import pytest

from vericap.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

DOG, CATS = "A man's dog, running!", "Two\ncats."
TOKENS = ["a man 's dog running", "two cats"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({7: [{"caption": DOG, "id": 1}, {"caption": CATS}]}, {7: TOKENS}),
        ({7: [DOG, CATS]}, {7: TOKENS}),
        ({7: (DOG, CATS), 8: []}, {7: TOKENS}),
        ({7: DOG, "b": CATS}, {7: TOKENS[:1], "b": TOKENS[1:]}),
        ({7: {"caption": DOG}, "b": {"caption": CATS}}, {7: TOKENS[:1], "b": TOKENS[1:]}),
        ([DOG, CATS], {0: TOKENS[:1], 1: TOKENS[1:]}),
        ((DOG, CATS), {0: TOKENS[:1], 1: TOKENS[1:]}),
        ([[DOG, CATS], [CATS]], {0: TOKENS, 1: TOKENS[1:]}),
        (
            [{"image_id": 7, "caption": DOG}, {"image_id": 7, "caption": CATS}],
            [{"image_id": 7, "caption": TOKENS[:1]}, {"image_id": 7, "caption": TOKENS[1:]}],
        ),
        (DOG, TOKENS[0]),
        ({}, {}),
        ([], {}),
    ],
)
def test_every_shape_is_tokenised(given: Any, expected: Any) -> None:
    assert PTBTokenizer.tokenize(given) == expected
    assert PTBTokenizer().tokenize(given) == expected
    assert PTBTokenizer("res").tokenize(given) == expected


def test_a_pool_maps_it() -> None:
    with ThreadPool(2) as pool:
        assert pool.map(PTBTokenizer.tokenize, [[DOG], [CATS]]) == [{0: TOKENS[:1]}, {0: TOKENS[1:]}]


@pytest.mark.parametrize("given", [{7: [5]}, {7: [None]}, {7: [{"text": "a dog"}]}, [[5]]])
def test_what_is_not_text_is_refused_with_its_image(given: Any) -> None:
    with pytest.raises(AssertionError, match=r"image \d has a caption that is not text"):
        PTBTokenizer.tokenize(given)
