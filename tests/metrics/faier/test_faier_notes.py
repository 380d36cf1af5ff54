"""A result says what of the pictures a model does not see."""

from __future__ import annotations

import pytest

from tests.metrics.faier.faier_captions import Make, key
from vericap import evaluate

pytestmark = pytest.mark.torch


def test_what_the_model_does_not_see_is_said(tiny: Make) -> None:
    """Labels without a word vector, and labels beyond the 36 regions that a model takes."""
    many = [
        f"{name} {color}"
        for name in ("dog", "cat", "cup", "bus", "tree", "boat")
        for color in "red blue green pink grey brown".split()
    ]
    metric = key(tiny())
    result = evaluate({1: "a dog", 2: "a cat"}, objects={1: ["犬", "dog"], 2: many}, metrics=[metric])
    assert f"{metric}: 1 label has no word vector and is seen as something unknown: 犬" in result.notes
    assert f"{metric}: 1 image has more than 36 regions, of which the first 36 are used" in result.notes
    seen = evaluate({1: "a dog"}, objects={1: ["dog"]}, metrics=[metric])
    assert not seen.notes
