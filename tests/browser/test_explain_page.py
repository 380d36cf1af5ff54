"""The page of `explain` in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser
from tests.browser.conftest import DEMO


@pytest.fixture(scope="module")
def page(pages: Path) -> Path:
    found = vericap.explain(
        DEMO / "strong.json",
        DEMO / "references.json",
        objects=DEMO / "objects.json",
        image_id=[1, 2],
        metrics="meteor,chair-i,fier",
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
