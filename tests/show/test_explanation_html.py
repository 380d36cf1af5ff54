"""Explanations as a page."""

from __future__ import annotations

import re

from tests.show.explained import EXPLANATION
from vericap.results.explanation import Explanation, Explanations
from vericap.show import as_page


def test_page_is_self_contained_and_escapes_what_people_wrote() -> None:
    text = as_page(Explanations([EXPLANATION]))
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", text)
    assert "&lt;sofa&gt;" in text
    assert "<sofa>" not in text
    assert "<b>dog" not in text
    cells = re.findall(r"rgba\(196, 30, 58, ([\d.]+)\)[^>]*>(-?[\d.]+)<", text)
    assert [float(value) for _, value in cells] == [0.5, 3.25, -1.0, 0.75, 1.0, 2.0]
    shade_of = {value: shade for shade, value in cells}
    assert (shade_of["3.25"], shade_of["-1.00"]) == ("1.000", "0.000")


def test_page_has_every_caption_with_its_image_and_the_notes() -> None:
    other = Explanation("bleu-1", 0.25, "a cat", [], drawing=["a <cat>"])
    text = as_page(Explanations([EXPLANATION, other], [7, 9], ("spice was left out",)))
    assert re.findall(r"<h2>(.*?)</h2>\n<p>(.*?)</p>", text) == [("a puppy $5", "image 7"), ("a cat", "image 9")]
    assert "<pre>a &lt;cat&gt;</pre>" in text and "<li>spice was left out</li>" in text
