"""Explanations as a page."""

from __future__ import annotations

import re

from tests.show.explained import EXPLANATION
from vericap.results.explanation import Explanation, Explanations
from vericap.show import as_fragment, as_page


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
