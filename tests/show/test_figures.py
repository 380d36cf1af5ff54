"""Lines drawn by matplotlib."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pytest

from tests.show.explained import EXPLANATION
from vericap.errors import InputError
from vericap.results.explanation import Explanation, Explanations, Matrix
from vericap.show import as_picture
from vericap.show.figures import draw_lines

VALUES = {"bleu-4": np.array([0.5, 0.6]), "meteor": np.array([0.4, 0.7])}


def test_the_same_curve_gives_the_same_bytes_with_a_name_for_each_line() -> None:
    pytest.importorskip("matplotlib")
    picture = draw_lines("t", "references", "accuracy", [1, 2], VALUES, {"meteor": np.full(2, 0.1)}, VALUES)
    assert picture == draw_lines("t", "references", "accuracy", [1, 2], VALUES, {"meteor": np.full(2, 0.1)}, VALUES)
    assert picture.count(b"<!-- meteor") == 2  # the line, and the dashed one beside it
    assert draw_lines("t", "x", "y", [1, 2], VALUES, format="png").startswith(b"\x89PNG")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="use png or svg"):
        draw_lines("t", "x", "y", [1, 2], VALUES, format="pdf")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'vericap\[figures\]'"):
        draw_lines("t", "x", "y", [1, 2], VALUES)


def test_png_has_a_heat_map_for_each_matrix_and_the_same_bytes_again() -> None:
    pytest.importorskip("matplotlib")
    one = as_picture(Explanations([EXPLANATION]), "png")
    assert one.startswith(b"\x89PNG")
    assert one == as_picture(Explanations([EXPLANATION]), "png")
    two = as_picture(Explanations([EXPLANATION, EXPLANATION]), "png")
    height = [struct.unpack(">I", data[20:24])[0] for data in (one, two)]
    assert abs(height[1] - 2 * height[0]) <= 1


def test_png_without_a_matrix_says_so() -> None:
    with pytest.raises(InputError, match="none of these metrics has a matrix"):
        as_picture(Explanations([Explanation("bleu-1", 0.5, "a", ["b"])]), "png")


def test_png_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r"pip install 'vericap\[figures\]'"):
        as_picture(Explanations([EXPLANATION]), "png")


def test_a_caption_of_thousands_of_words_is_no_picture() -> None:
    wide = Matrix(["dog"], ["word"] * 3000, np.zeros((1, 3000)))
    with pytest.raises(InputError, match=r'field "png": heat maps of 3,000 words .* use --html'):
        as_picture(Explanations([Explanation("faier", 1.0, "word", [], matrices={"objects × words": wide})]), "png")
