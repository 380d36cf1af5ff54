"""Matrices of an explanation on the terminal, in JSON, on the page and as a picture."""

from __future__ import annotations

import re
import struct
import sys

import numpy as np
import orjson
import pytest

from vericap.errors import InputError
from vericap.results.explanation import Explanation, Matrix, Part
from vericap.show.explanation_page import page
from vericap.show.explanations import draw
from vericap.show.heat_maps import png
from vericap.show.matrices import draw_matrix, shades

MATRIX = Matrix(["dog", "<sofa>"], ["a", "puppy", "$5"], np.array([[0.5, 3.25, -1.0], [0.75, 1.0, 2.0]]), "red")
EXPLANATION = Explanation(
    "faier", 1.5, "a puppy $5", ["a <b>dog</b>"], {"S": 1.5}, {"words": [Part("puppy", {"matched": "dog"})]},
    matrices={"before fusion": MATRIX, "relations": Matrix(["dog"], [], np.zeros((1, 0)))},
)  # fmt: skip


def test_terminal_marks_the_object_a_word_matched() -> None:
    lines = draw(EXPLANATION).splitlines()
    heading = lines.index("  before fusion")
    assert [line.split() for line in lines[heading + 1 : heading + 4]] == [
        ["a", "puppy", "$5"],
        ["dog", "0.50", "*3.25", "-1.00"],
        ["<sofa>", "*0.75", "1.00", "*2.00"],
    ]
    assert lines[-2:] == ["  relations", "    (none)"]


def test_terminal_breaks_wide_matrices_into_blocks() -> None:
    words = [f"word{i}" for i in range(40)]
    lines = draw_matrix(Matrix(["dog"], words, np.arange(40.0)[None]), width=60)
    assert max(map(len, lines)) <= 60
    assert [word for line in lines[::2] for word in line.split()] == words
    assert all(line.startswith("dog") for line in lines[1::2])


def test_json_holds_every_number() -> None:
    data = orjson.loads(orjson.dumps(EXPLANATION.to_dict()))
    assert data["matrices"]["before fusion"] == {
        "rows": ["dog", "<sofa>"],
        "columns": ["a", "puppy", "$5"],
        "values": [[0.5, 3.25, -1.0], [0.75, 1.0, 2.0]],
    }
    assert data["matrices"]["relations"]["values"] == [[]]


def test_page_is_self_contained_and_escapes_what_people_wrote() -> None:
    text = page([EXPLANATION])
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", text)
    assert "&lt;sofa&gt;" in text
    assert "<sofa>" not in text
    assert "<b>dog" not in text
    cells = re.findall(r"rgba\(196, 30, 58, ([\d.]+)\)[^>]*>(-?[\d.]+)<", text)
    assert [float(value) for _, value in cells] == [0.5, 3.25, -1.0, 0.75, 1.0, 2.0]
    shade_of = {value: shade for shade, value in cells}
    assert (shade_of["3.25"], shade_of["-1.00"]) == ("1.000", "0.000")


def test_shades_of_equal_numbers_are_defined() -> None:
    assert shades(Matrix(["a"], ["b", "c"], np.full((1, 2), 7.0))).tolist() == [[0.0, 0.0]]


def test_png_has_a_heat_map_for_each_matrix_and_the_same_bytes_again() -> None:
    pytest.importorskip("matplotlib")
    one = png([EXPLANATION])
    assert one.startswith(b"\x89PNG")
    assert one == png([EXPLANATION])
    two = png([EXPLANATION, EXPLANATION])
    height = [struct.unpack(">I", data[20:24])[0] for data in (one, two)]
    assert abs(height[1] - 2 * height[0]) <= 1


def test_png_without_a_matrix_says_so() -> None:
    with pytest.raises(InputError, match="none of these metrics has a matrix"):
        png([Explanation("bleu-1", 0.5, "a", ["b"])])


def test_png_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match=r"pip install 'vericap\[figures\]'"):
        png([EXPLANATION])


def test_names_must_fit_the_numbers() -> None:
    with pytest.raises(ValueError, match="2 × 1 names"):
        Matrix(["a", "b"], ["c"], np.zeros((1, 2)))


def test_a_caption_of_thousands_of_words_is_no_picture() -> None:
    wide = Matrix(["dog"], ["word"] * 3000, np.zeros((1, 3000)))
    with pytest.raises(InputError, match=r'field "png": heat maps of 3,000 words .* use --html'):
        png([Explanation("faier", 1.0, "word", [], matrices={"objects × words": wide})])
