"""A curve as plain data."""

from __future__ import annotations

import numpy as np

from vericap.results.curve import Curve


def test_what_is_undefined_at_a_point_is_null_in_json() -> None:
    found = Curve("t", "words", "kendall_b", [4, 9], {"bleu-1": np.array([0.5, np.nan])}, counts=[7, 8]).to_dict()
    assert found["values"] == {"bleu-1": [0.5, None]}
    assert (found["points"], found["counts"], found["spread"], found["published"]) == ([4, 9], [7, 8], {}, {})
