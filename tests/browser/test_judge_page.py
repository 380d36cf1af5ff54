"""The page of `judge` in a browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.browser.chromium import Browser
from tests.results.test_verdict import VERDICT
from vericap.results.curve import Curve
from vericap.results.verdict import Disagreement


@pytest.fixture(scope="module")
def page(pages: Path) -> Path:
    found = [
        Disagreement("spice", 7, "a dog", ["the dog"], 0.1, 4.0, 1.0, 0.0),
        Disagreement("bleu-4", 8, "a cat", [], 0.1, other="a cow", other_score=0.9),
    ]
    curve = Curve("accuracy of mine", "references", "accuracy", [1, 5], {"spice": np.array([0.5, np.nan])})
    verdict = replace(VERDICT, disagreements=found, curves=[curve], ceiling={"kendall_b": 0.7})
    verdict.to_html(pages / "judge.html")
    return pages / "judge.html"


def test_it_opens_without_a_complaint_and_asks_for_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.complaints() == [] and browser.requests() == []


def test_numbers_are_those_of_the_json_and_people_are_beside_them(browser: Browser, page: Path) -> None:
    browser.open(page)
    cells = "return [...document.querySelectorAll(\"td[data-measure='kendall_b']\")].map(cell => cell.innerText)"
    assert browser.run(cells) == ["31.00 ±2.0", "45.00"]
    plot = browser.run("return document.querySelector('#agreement svg').textContent")
    assert "people with each other" in plot and "70.00" in plot


def test_disagreements_are_shown_by_metric(browser: Browser, page: Path) -> None:
    browser.open(page)
    rows = "return [...document.querySelectorAll('#worst tbody tr')].map(row => [...row.cells].map(c => c.innerText))"
    assert browser.run(rows)[0][2:] == ["4.00", "100 %", "0.1000", "0 %"]
    browser.open(page, "#metric=bleu-4")
    assert browser.run(rows) == [["8", "a cat", "0.1000", "a cow", "0.9000"]]


def test_a_curve_is_drawn(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.run("return document.querySelectorAll('#curves .point').length") == 1
