"""Explanations inside a page."""

from __future__ import annotations

import numpy as np

from vericap.results.explanation import Explanation, Matrix, Part
from vericap.show.report.explained import explained


def test_all_heat_maps_of_a_metric_share_one_scale_whose_middle_is_0() -> None:
    maps = [
        Explanation("faier", 1.0, "a", [], matrices={"words": Matrix(["dog"], ["a", "b"], np.array([[0.5, -2.0]]))}),
        Explanation("faier", 1.0, "b", [], matrices={"words": Matrix(["dog"], ["c"], np.array([[0.25]]))}),
    ]
    found = explained({0: [maps[0]], 4: [maps[1]]})
    assert [found[row][0]["matrices"]["words"]["reach"] for row in ("0", "4")] == [2.0, 2.0]


def test_what_does_not_exist_is_null_and_parts_keep_their_numbers() -> None:
    sections = {"1-grams": [Part("dog", {"count": 1, "adds": 1 / 3})]}
    [[found]] = explained({0: [Explanation("cider-d", float("nan"), "a", [], {"x": 0.5}, sections)]}).values()
    assert found["score"] is None and found["values"] == {"x": 0.5}
    assert found["sections"] == {"1-grams": [{"text": "dog", "count": 1, "adds": 0.333333}]}
