"""Captions in columns."""

from __future__ import annotations

import numpy as np

from vericap.corpus import Corpus, Objects
from vericap.options.page import PageOptions
from vericap.show.report.columns import caption_columns, described


def two_captions_of_one_image() -> Corpus:
    objects = Objects(
        ("dog", "cat"), np.array([0, 1]), np.array([0, 2]), boxes=np.array([[1.0, 2, 3, 4], [np.nan] * 4])
    )
    return Corpus(
        ["x", "x"], ["a dog", "a cat"], np.array([0, 0]), ["dogs"], np.array([0, 1]), {"who": ["a", None]}, (), objects
    )


def test_what_belongs_to_an_image_is_there_once() -> None:
    columns, _ = caption_columns(two_captions_of_one_image(), {"bleu-1": np.array([1.0, np.nan])}, PageOptions())
    assert (columns["image"], columns["image_ids"], columns["references"]) == ([0, 0], ["x"], [["dogs"]])
    assert columns["objects"] == [[{"label": "dog", "box": [1, 2, 3, 4]}, {"label": "cat"}]]
    assert (columns["fields"], columns["scores"]) == ({"who": ["a", ""]}, {"bleu-1": [1.0, None]})


def test_how_much_there_is() -> None:
    assert described(two_captions_of_one_image()) == "2 captions of 1 image, 1 reference each"
    assert (
        described(Corpus.from_lists(["a", "b"], [["c"], ["d", "e"]]))
        == "2 captions of 2 images, 1 to 2 references each"
    )
    assert described(Corpus.from_lists(["a"])) == "1 caption of 1 image, without references"
