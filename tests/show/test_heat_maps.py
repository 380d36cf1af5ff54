"""Matrices of an explanation as a picture."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pytest

from tests.show.explained import EXPLANATION
from vericap.errors import InputError
from vericap.results.explanation import Explanation, Explanations, Matrix
from vericap.show import as_picture
from vericap.show.heat_maps import heat_maps


def test_png_has_a_heat_map_for_each_matrix_and_the_same_bytes_again() -> None:
    pytest.importorskip("matplotlib")
    one = heat_maps([EXPLANATION])
    assert one.startswith(b"\x89PNG")
    assert one == heat_maps([EXPLANATION]) == as_picture(Explanations([EXPLANATION]), "png")
    two = heat_maps([EXPLANATION, EXPLANATION])
    height = [struct.unpack(">I", data[20:24])[0] for data in (one, two)]
    assert abs(height[1] - 2 * height[0]) <= 1


def test_png_without_a_matrix_says_so() -> None:
    with pytest.raises(InputError, match="none of these metrics has a matrix"):
        heat_maps([Explanation("bleu-1", 0.5, "a", ["b"])])


def test_png_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r"pip install 'vericap\[figures\]'"):
        heat_maps([EXPLANATION])


def test_a_caption_of_thousands_of_words_is_no_picture() -> None:
    wide = Matrix(["dog"], ["word"] * 3000, np.zeros((1, 3000)))
    with pytest.raises(InputError, match=r'field "png": heat maps of 3,000 words .* use --html'):
        heat_maps([Explanation("faier", 1.0, "word", [], matrices={"objects × words": wide})])
