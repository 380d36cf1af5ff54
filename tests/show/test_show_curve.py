"""A curve drawn: dashes, and why they are there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vericap.results.curve import Curve
from vericap.show import as_picture
from vericap.show.curve import curve_grid, sentences

CURVE = Curve(
    "accuracy",
    "references",
    "accuracy.all",
    [1, 5],
    {"bleu-1": np.array([0.5, 0.625])},
    {"bleu-1": np.array([0.1, 0.0])},
    protocol="usual: ties half",
)


def test_csv_has_six_digits_and_the_spread() -> None:
    assert CURVE.table("csv").splitlines() == [
        "references,bleu-1,bleu-1 spread",
        "1,0.500000,0.100000",
        "5,0.625000,0.000000",
    ]


def test_a_dash_has_its_reason() -> None:
    assert sentences(CURVE) == ["usual: ties half"]
    undefined = replace(CURVE, values={"bleu-1": np.array([np.nan, 0.5])})
    assert curve_grid(undefined).rows == [["1", "–"], ["5", "0.5000"]]
    assert sentences(undefined)[1].endswith("the same or missing: bleu-1 at 1 references")
    beside = replace(CURVE, published={"bleu-1": np.array([0.5, np.nan])})
    assert curve_grid(beside).rows[1] == ["5", "0.6250", "–"]
    assert "none was published for that number of references" in sentences(beside)[1]


def test_picture_and_page() -> None:
    pytest.importorskip("matplotlib")
    assert as_picture(CURVE, "png").startswith(b"\x89PNG")
    assert "<svg" in CURVE.to_html() and "<td>0.6250</td>" in CURVE.to_html()
