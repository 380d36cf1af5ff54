"""A browser for all tests here, and pages to look at; without a browser they are skipped, loudly."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser, missing
from vericap.data import FOLDER

DEMO = FOLDER / "demo"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    reason = missing()
    if reason is not None:
        stop = pytest.fail if "VERICAP_NEEDS_BROWSER" in os.environ else pytest.skip
        stop(f"NO BROWSER, SO NO PAGE IS TESTED: {reason}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Selenium's own libraries
        found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for pages."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def scored() -> vericap.Result:
    """The demo's strong captioner by metrics of all three questions."""
    return vericap.evaluate(
        DEMO / "strong.json",
        DEMO / "references.json",
        objects=DEMO / "objects.json",
        metrics="bleu-4,meteor,cider-d,spice,ter,wmd,vifidel,chair-i,fluency",
        bootstrap=100,
        label="strong.json",
    )


@pytest.fixture(scope="session")
def score_page(scored: vericap.Result, pages: Path) -> Path:
    path = pages / "score.html"
    scored.to_html(path)
    return path
