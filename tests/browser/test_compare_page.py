"""The page of `compare` in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser
from tests.browser.conftest import DEMO


@pytest.fixture(scope="module")
def compared() -> vericap.Comparison:
    systems = {name: DEMO / f"{name}.json" for name in ("strong", "middling", "weak")}
    return vericap.compare(
        systems,
        DEMO / "references.json",
        objects=DEMO / "objects.json",
        metrics="cider-d,spice,ter,chair-i",
        against="all",
    )


@pytest.fixture(scope="module")
def page(compared: vericap.Comparison, pages: Path) -> Path:
    compared.to_html(pages / "compare.html", 100)
    return pages / "compare.html"


def test_it_opens_without_a_complaint_and_asks_for_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.complaints() == [] and browser.requests() == []


def test_the_first_sentence_says_who_is_better_by_how_much_and_how_sure(browser: Browser, page: Path) -> None:
    browser.open(page)
    headline = browser.run("return document.querySelector('.headline').innerText")
    # README's table: strong 133.6, middling 67.9, the difference 65.7 with its interval and p.
    assert headline.startswith("strong is better than middling in CIDEr-D by 65.7 [") and ", p " in headline
    said = browser.run("return [...document.querySelectorAll('.unsupported li')].map(line => line.innerText)")
    assert any("do not differ significantly in TER" in line for line in said)


def test_scores_are_those_of_the_json(browser: Browser, page: Path, compared: vericap.Comparison) -> None:
    browser.open(page)
    for key, metric in compared.to_dict()["metrics"].items():
        for system, of in metric["systems"].items():
            cell = f".score[data-metric='{key}'][data-system='{system}']"
            assert (
                browser.run("return document.querySelector(arguments[0]).innerText", cell) == f"{100 * of['score']:.1f}"
            )


def test_a_caption_that_proves_it_opens_with_both_explanations(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("document.querySelector('#proofs .caption-link').click()")
    names = browser.run("return [...document.querySelectorAll('#detail .eyebrow')].map(line => line.innerText)")
    assert [name.split(" of image ")[0] for name in names] == ["strong", "middling"]
    explained = browser.run(
        "return [...document.querySelectorAll('#detail details.explanation')].map(d => d.dataset.metric)"
    )
    assert explained == ["cider-d", "spice", "ter", "chair-i"] * 2


def test_another_pair_is_chosen_and_kept_in_the_address(browser: Browser, page: Path) -> None:
    browser.open(page, "#pair=2")
    assert "middling against weak" in browser.run("return document.querySelector('#differences figcaption').innerText")
    assert browser.run("return document.querySelectorAll('#differences .contrast').length") == 4


def test_images_are_sorted_and_filtered_by_difference(browser: Browser, page: Path) -> None:
    browser.open(page, "#filter=cider-d+%3C+0&sort=cider-d")
    cells = browser.run("return [...document.querySelectorAll('tr[data-place]')].map(row => row.cells[3].innerText)")
    values = [float(cell.replace("−", "-")) for cell in cells]
    # Middling wins two images from strong by CIDEr-D, as the table of contrasts says.
    assert len(values) == 2 and values == sorted(values) and max(values) < 0


def test_where_one_is_better_is_shown_by_length_and_object(browser: Browser, page: Path) -> None:
    browser.open(page)
    kinds = browser.run("return [...document.querySelectorAll('#where figcaption')].map(each => each.innerText)")
    assert kinds == ["caption length", "object in the picture"]
