"""An explanation as plain data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap import explain
from vericap.results.explanation import Explanation, Explanations, Matrix, Part

WHY = Explanation(
    "wmd",
    0.5,
    "a dog",
    ["the dog", "a cat"],
    {"distance": float("inf"), "matches": 2, "why": "no content word"},
    {"links": [Part("dog → dog", {"mass": 1.0, "cost": float("nan")}), Part("a")]},
    ["dog ──▶ dog"],
    {"objects × words": Matrix(["dog"], ["a", "dog"], np.array([[0.1, np.nan]]))},
)


def test_json_has_every_part_and_null_for_numbers_that_do_not_exist() -> None:
    found = json.loads(json.dumps(WHY.to_dict(), allow_nan=False))
    assert found == {
        "metric": "wmd",
        "score": 0.5,
        "caption": "a dog",
        "references": ["the dog", "a cat"],
        "values": {"distance": None, "matches": 2, "why": "no content word"},
        "sections": {"links": [{"text": "dog → dog", "mass": 1.0, "cost": None}, {"text": "a"}]},
        "drawing": ["dog ──▶ dog"],
        "matrices": {"objects × words": {"rows": ["dog"], "columns": ["a", "dog"], "values": [[0.1, None]]}},
    }


def test_a_caption_infinitely_far_from_its_references_can_be_written_as_json() -> None:
    why = explain({1: "the"}, {1: ["a dog"]}, image_id=1, metrics="wmd")
    [row] = json.loads(json.dumps(why.to_dict(), allow_nan=False))["explanations"]
    assert row["values"]["distance"] is None and row["score"] == 0


def test_a_matrix_has_a_name_for_each_row_and_column() -> None:
    with pytest.raises(ValueError, match=r"1 × 2 names for numbers of shape \(2, 1\)"):
        Matrix(["dog"], ["a", "dog"], np.zeros((2, 1)))


def test_explanations_are_a_sequence_with_the_image_of_each() -> None:
    other = Explanation("bleu-1", float("nan"), "a cat", [])
    found = Explanations([WHY, other], [7, "b.jpg"], ("something to know",))
    assert len(found) == 2 and found[1] is other and list(found[:1]) == [WHY] and list(found) == [WHY, other]
    data = found.to_dict()
    assert [row["image_id"] for row in data["explanations"]] == [7, "b.jpg"]
    assert data["explanations"][1]["score"] is None and data["notes"] == ["something to know"]
    assert [row["image_id"] for row in Explanations([WHY]).to_dict()["explanations"]] == [None]
