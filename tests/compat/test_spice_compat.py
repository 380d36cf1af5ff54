"""`Spice` answers as pycocoevalcap's does: the mean, and a dictionary of categories for each image."""

from __future__ import annotations

import math

import pytest

from vericap.compat.pycocoevalcap.spice.spice import Spice

REFERENCES = {7: ["a brown dog on a bed"], 3: ["two dogs play in the snow"]}
RESULTS = {3: ["two dogs in the snow"], 7: ["a dog on a red bed"]}


def test_images_come_sorted_with_all_categories_and_numbers() -> None:
    mean, scores = Spice().compute_score(REFERENCES, RESULTS)
    assert [set(s) for s in scores] == [{"All", "Relation", "Cardinality", "Attribute", "Size", "Color", "Object"}] * 2
    assert all(set(n) == {"pr", "re", "f", "tp", "fp", "fn", "numImages"} for s in scores for n in s.values())
    assert mean == pytest.approx(sum(s["All"]["f"] for s in scores) / 2)
    assert scores[0]["Cardinality"]["f"] == 1.0  # image 3 comes first


def test_categories_without_reference_tuples_are_nan() -> None:
    _, (_, dog) = Spice().compute_score(REFERENCES, RESULTS)
    assert math.isnan(dog["Size"]["f"])
    assert dog["Color"] == {"pr": 0.0, "re": 0.0, "f": 0.0, "tp": 0.0, "fp": 1.0, "fn": 1.0, "numImages": 1.0}


def test_its_name() -> None:
    assert Spice().method() == "SPICE"
