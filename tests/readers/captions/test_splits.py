"""A split of a data set, where its file names them."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.readers import load

KARPATHY = {
    "images": [
        {"filename": "a.jpg", "split": "train", "sentences": [{"raw": "a dog"}]},
        {"filename": "b.jpg", "split": "test", "sentences": [{"raw": "a cat"}, {"raw": "cats"}]},
    ],
    "dataset": "flickr30k",
}


def test_karpathys_split_is_chosen() -> None:
    corpus = load({"b.jpg": "one cat"}, KARPATHY, split="test", uncaptioned="error")
    assert corpus.references_of(0) == ["a cat", "cats"]
    with pytest.raises(InputError, match=r"image 'b.jpg' has no references"):
        load({"b.jpg": "one cat"}, KARPATHY, split="train")


def test_a_split_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match=r"there is no split 'val'; the splits are: train, test"):
        load({"b.jpg": "one cat"}, KARPATHY, split="val")
    with pytest.raises(InputError, match="does not say to which split an image belongs"):
        load({1: "one cat"}, {1: ["a cat"]}, split="val")
