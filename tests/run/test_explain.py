"""Explaining a caption costs that caption, and tells the same as the corpus's scores."""

from __future__ import annotations

import pytest

from vericap import evaluate, explain
from vericap.errors import InputError

CANDIDATES = {1: "a dog runs", 2: "a red cat", 3: "two buses"}
REFERENCES = {1: ["the dog runs", "a dog"], 2: ["a red cat sits"], 3: ["a bus", "two red buses"]}


def test_an_explained_score_is_the_score() -> None:
    result = evaluate(CANDIDATES, REFERENCES, metrics="default")
    for row, image_id in enumerate(CANDIDATES):
        for why in explain(CANDIDATES, REFERENCES, image_id=image_id, metrics="default"):
            assert why.score == pytest.approx(result[why.metric].captions[row], abs=1e-12), why.metric


def test_several_images_are_explained_in_the_order_asked_for() -> None:
    found = explain(CANDIDATES, REFERENCES, image_id=[3, 1], metrics="bleu-1,rouge-l")
    assert [(each.caption, each.metric) for each in found] == [
        ("two buses", "bleu-1"),
        ("two buses", "rouge-l"),
        ("a dog runs", "bleu-1"),
        ("a dog runs", "rouge-l"),
    ]
    assert list(found.image_ids) == [3, 3, 1, 1]


def test_an_image_without_a_caption_is_named() -> None:
    with pytest.raises(InputError, match="no candidate has image id 9"):
        explain(CANDIDATES, REFERENCES, image_id=9, metrics="bleu-1")
