"""The detector that ships is used where a metric needs objects and only pictures were given."""

from __future__ import annotations

from typing import Any

import pytest

from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.options.inputs import Inputs
from vericap.readers.objects import add_objects
from vericap.run.detecting import with_detector


@pytest.mark.parametrize(
    "metrics", ["vifidel", "chair-i", "faier", "mean(vifidel,cider-d)", ["bleu-4", "chair-s"], [parse("vifidel")]]
)
def test_metrics_that_need_objects(metrics: Any) -> None:
    assert with_detector(Inputs({7: "a dog"}, images="pictures"), metrics).detector == "ssd"


@pytest.mark.parametrize("metrics", ["bleu-4", "default", "all", "fluency,aier", "vifidel(objects=references)"])
def test_metrics_that_need_none(metrics: str) -> None:
    assert with_detector(Inputs({7: "a dog"}, images="pictures"), metrics).detector is None


@pytest.mark.parametrize(
    "more",
    [
        {"objects": {7: ["dog"]}},
        {"regions": "regions.npz"},
        {"detector": "other"},
        {"images": None},
        {"images": "https://example.org/{id}.jpg"},
        {"candidates": add_objects(Corpus.from_lists(["a dog"], image_ids=[7]), {7: ["dog"]})},
    ],
)
def test_what_was_given_is_not_looked_for(more: dict[str, Any]) -> None:
    inputs = Inputs(**{"candidates": {7: "a dog"}, "images": "pictures", **more})
    assert with_detector(inputs, "vifidel") is inputs
