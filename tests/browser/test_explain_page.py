"""The page of `explain` in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import vericap
from tests.browser.chromium import Browser
from tests.browser.conftest import DEMO


@pytest.fixture(scope="module", params=["verity(scale=logit)", "fier"])
def page(request: pytest.FixtureRequest, pages: Path) -> Path:
    """The third metric has a heat map, and no bounds."""
    found = vericap.explain(
        DEMO / "strong.json",
        DEMO / "references.json",
        objects=DEMO / "objects.json",
        image_id=[1, 2],
        metrics=["meteor", "chair-i", request.param],
    )
    found.to_html(pages / "explain.html")
    return pages / "explain.html"


def test_it_opens_without_a_complaint_and_asks_for_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.complaints() == [] and browser.requests() == []


def test_contents_image_ids_ranges_and_signatures_are_there(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert len(browser.run("return [...document.querySelectorAll('#contents a')].map(link => link.hash)")) == 2
    assert "image 1" in browser.run("return document.querySelector('article .eyebrow').innerText")
    rows = browser.run("return [...document.querySelectorAll('#metrics tbody tr')].map(row => row.innerText)")
    assert ["0 to 1" in rows[0], "lower" in rows[1], "−∞ to ∞" in rows[2]] == [True] * 3
    assert all("metric:" in row for row in rows)


def test_0_is_the_colour_of_the_page_in_every_heat_map(browser: Browser, page: Path) -> None:
    browser.open(page)
    cells = browser.run(
        """const colour = /(warm|cool)\\) (\\d+)%/;
           return [...document.querySelectorAll('table.heat td[class]')].map(cell =>
             [Number(cell.innerText.replace('−', '-')), cell.style.background.match(colour).slice(1)])"""
    )
    assert len(cells) > 50
    for value, (colour, strength) in cells:
        assert colour == ("cool" if value < 0 else "warm") or abs(value) < 0.005
        assert abs(value) > 0.005 or int(strength) <= 2


def test_boxes_are_over_the_picture_and_words_have_their_colours(browser: Browser, pages: Path) -> None:
    (pages / "boxed").mkdir()
    Image.new("RGB", (400, 200), "grey").save(pages / "boxed" / "1.png")
    shown = [
        {"label": "dog", "box": [0, 0, 200, 200], "score": 0.91},
        {"label": "<img src=x>", "box": [210, 10, 390, 190], "score": 0.6},
    ]
    found = vericap.explain({1: "a puppy <b>"}, objects={1: shown}, image_id=1, metrics="chair-s(truth=labels)")
    found.to_html(pages / "boxed.html", embed_images=True, images=pages / "boxed")
    browser.open(pages / "boxed.html")
    assert browser.wait("return document.querySelectorAll('.boxes rect').length === 2")
    svg = browser.run("return document.querySelector('.boxes').getAttribute('viewBox')")
    assert svg == "0 0 400 200"
    names = browser.run("return [...document.querySelectorAll('.boxes text')].map(each => each.textContent)")
    assert names == ["dog 0.91", "<img src=x> 0.60"]
    word, box = browser.run(
        """return ['mark', '.boxes g'].map(each => [document.querySelector(each).textContent,
             getComputedStyle(document.querySelector(each)).color])"""
    )
    assert (word[0], word[1]) == ("puppy", box[1])
    assert browser.complaints() == []
