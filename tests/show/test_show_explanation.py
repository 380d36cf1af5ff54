"""An explanation as text and as JSON."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import orjson
import pytest
from PIL import Image

from tests.show.explained import EXPLANATION, MATRIX
from vericap.options.page import PageOptions
from vericap.results.explanation import Explanation, Explanations, Matrix
from vericap.show import as_fragment, as_json, as_page, as_text, remarks
from vericap.show.explanation import explanation_text, matrix_lines

BLEU = Explanation("bleu-1", 0.5, "a puppy $5", ["a <b>dog</b>"], {"brevity penalty": 1.0}, drawing=["a dog", "|"])
OTHER = Explanation("bleu-1", 0.25, "a cat", [])


def test_terminal_shows_every_part() -> None:
    lines = explanation_text(EXPLANATION).splitlines()
    assert lines[:4] == ["faier = 1.5000", "  S  1.5000", "  words", "    puppy  matched dog"]
    heading = lines.index("  before fusion")
    assert lines[heading + 2].split() == ["dog", "0.50", "*3.25", "-1.00"]
    assert lines[-2:] == ["  relations", "    (none)"]
    assert explanation_text(BLEU).splitlines()[2:] == ["  a dog", "  |"]


def test_metrics_are_below_their_caption() -> None:
    text = as_text(Explanations([EXPLANATION, BLEU], [7, 7]))
    assert text.startswith("caption      a puppy $5\nreference 1  a <b>dog</b>\n\nfaier = 1.5000\n")
    assert text.count("caption      ") == 1 and "image" not in text


def test_several_images_are_named() -> None:
    text = as_text(Explanations([EXPLANATION, BLEU, OTHER], [7, 7, 9]))
    assert [line for line in text.splitlines() if line.startswith(("image", "caption"))] == [
        "image        7",
        "caption      a puppy $5",
        "image        9",
        "caption      a cat",
    ]


def test_notes_are_remarks() -> None:
    assert remarks(Explanations([BLEU], [7], ("spice was left out",))) == ["note: spice was left out"]


def test_json_holds_every_number() -> None:
    document = orjson.loads(b"".join(as_json(Explanations([EXPLANATION], [7], ("one note",)))))
    [data] = document["explanations"]
    assert data["image_id"] == 7 and document["notes"] == ["one note"]
    assert data["matrices"]["before fusion"] == {
        "rows": ["dog", "<sofa>"],
        "columns": ["a", "puppy", "$5"],
        "values": [[0.5, 3.25, -1.0], [0.75, 1.0, 2.0]],
    }
    assert data["matrices"]["relations"]["values"] == [[]]


def test_terminal_marks_the_largest_number_of_each_column() -> None:
    assert [line.split() for line in matrix_lines(MATRIX)] == [
        ["a", "puppy", "$5"],
        ["dog", "0.50", "*3.25", "-1.00"],
        ["<sofa>", "*0.75", "1.00", "*2.00"],
    ]


def test_terminal_breaks_wide_matrices_into_blocks() -> None:
    words = [f"word{i}" for i in range(40)]
    lines = matrix_lines(Matrix(["dog"], words, np.arange(40.0)[None]), width=60)
    assert max(map(len, lines)) <= 60
    assert [word for line in lines[::2] for word in line.split()] == words
    assert all(line.startswith("dog") for line in lines[1::2])


def test_names_must_fit_the_numbers() -> None:
    with pytest.raises(ValueError, match="2 × 1 names"):
        Matrix(["a", "b"], ["c"], np.zeros((1, 2)))


def test_what_people_wrote_is_escaped() -> None:
    text = as_fragment(Explanations([EXPLANATION]))
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", text)
    assert "&lt;sofa&gt;" in text
    assert "<sofa>" not in text
    assert "<b>dog" not in text


def test_0_is_the_middle_of_the_colours_of_all_heat_maps() -> None:
    text = as_fragment(Explanations([EXPLANATION]))
    cells = re.findall(r"rgba\((\d+), \d+, \d+, ([\d.]+)\)[^>]*>(-?[\d.]+)<", text)
    colours = {float(value): (red, float(shade)) for red, shade, value in cells}
    assert list(colours) == [0.5, 3.25, -1.0, 0.75, 1.0, 2.0]
    assert colours[3.25] == ("230", 1.0)
    # −1 is as far from 0 as 1, in the other colour.
    assert colours[-1.0] == ("86", 0.308) and colours[1.0] == ("230", 0.308)


def test_a_page_has_no_style_but_that_of_its_sheet() -> None:
    assert "style=" not in as_page(Explanations([EXPLANATION])).partition('<main id="page">')[2].partition("</main>")[0]


def test_page_has_every_caption_with_its_image_and_the_notes() -> None:
    other = Explanation("bleu-1", 0.25, "a cat", [], drawing=["a <cat>"])
    given = Explanations([EXPLANATION, other], [7, 9], ("spice was left out",))
    text = as_fragment(given)
    assert "<h2>a cat</h2>" in as_page(given)
    assert re.findall(r"<h2>(.*?)</h2>\n<p>(.*?)</p>", text) == [("a puppy $5", "image 7"), ("a cat", "image 9")]
    assert "<pre>a &lt;cat&gt;</pre>" in text and "<li>spice was left out</li>" in text


def test_boxes_are_drawn_without_a_script(tmp_path: Path) -> None:
    Image.new("RGB", (400, 300), "grey").save(tmp_path / "7.png")
    dog = {"label": "dog", "box": [10.0, 20.0, 100.0, 50.0], "confidence": 0.91}
    sign = {"label": "<b>", "box": [0.0, 0.0, 5.0, 5.0]}
    caption, other = Explanation("bleu-1", 0.5, "a puppy", []), Explanation("bleu-1", 0.5, "a cat", [])
    given = Explanations(
        [caption, other], [7, 8], objects={"7": [dog, sign, {"label": "cup"}]}, mentions={"a puppy": {"dog": [(2, 7)]}}
    )
    page = as_page(given, 1.0, PageOptions(images=tmp_path, embed_images=True))
    shown = page.partition('<main id="page">')[2].partition("</main>")[0]
    assert re.findall(r"viewBox=.([\d ]+)", shown) == ["0 0 400 300"]  # image 8 has no picture
    # The dog, which the caption names, has the first colour; the sign has none.
    assert re.findall(
        r'<g class="(\w+)"><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', shown
    ) == [
        ("s0", "10", "20", "100", "50"),
        ("plain", "0", "0", "5", "5"),
    ]
    assert ">dog 0.91</text>" in shown and ">&lt;b&gt;</text>" in shown and "style=" not in shown
    assert 'alt="Picture of image 7: dog, &lt;b&gt;, cup"' in shown


def test_a_picture_beside_the_page_is_shown_without_boxes_as_its_size_is_not_known(tmp_path: Path) -> None:
    Image.new("RGB", (4, 3)).save(tmp_path / "7.png")
    given = Explanations(
        [Explanation("bleu-1", 0.5, "a dog", [])], [7], objects={"7": [{"label": "dog", "box": [0, 0, 1, 1]}]}
    )
    page = as_page(given, 1.0, PageOptions(images=tmp_path, folder=tmp_path))
    shown = page.partition('<main id="page">')[2].partition("</main>")[0]
    assert '<img src="7.png"' in shown and "<svg" not in shown
