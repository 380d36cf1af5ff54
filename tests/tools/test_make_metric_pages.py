"""The pages of the metrics say what the program says, and every metric has one."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from vericap.metrics import registry

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "make_metric_pages.py"))


@pytest.mark.parametrize("name", TOOL["METRICS"])
def test_a_page_is_up_to_date(name: str) -> None:
    assert TOOL["page"](name) == (TOOL["PAGES"] / f"{name}.md").read_text("utf-8"), "run tools/make_metric_pages.py"


def test_every_metric_is_listed_with_its_citation() -> None:
    listed = (TOOL["PAGES"] / "index.md").read_text("utf-8")
    assert TOOL["index"]() == listed, "run tools/make_metric_pages.py"
    assert [key for key in registry() if f"`{key}`" not in listed] == []


def test_every_metric_has_a_page() -> None:
    described = {key for keys, _ in TOOL["METRICS"].values() for key in keys}
    # Sub-scores of SPICE are on its page; SPIDEr is a mean, described with the combinations.
    others = {key for key in registry() if key.startswith("spice.") or key == "spider"}
    assert described | others == set(registry())


def test_a_formula_is_the_papers() -> None:
    assert r"\frac{2 P R}{P + R}" in TOOL["formula"](registry()["spice"].make())
