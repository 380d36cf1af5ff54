"""Pictures of the pages for the documentation. `make screenshots` writes them to docs/images; a test without that
checks that they can be made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser
from tests.browser.conftest import DEMO

ROOT = Path(__file__).parents[2]
METRICS = "bleu-4,meteor,cider-d,spice,ter,vifidel,chair-i,fluency"


@pytest.fixture(scope="module")
def demo(pages: Path) -> dict[str, Path]:
    found = {kind: pages / f"demo-{kind}.html" for kind in ("score", "compare")}
    given = {"references": DEMO / "references.json", "objects": DEMO / "objects.json", "metrics": METRICS}
    vericap.evaluate(DEMO / "strong.json", bootstrap=200, label="strong", **given).to_html(found["score"], 100)
    systems = {name: DEMO / f"{name}.json" for name in ("strong", "middling", "weak")}
    vericap.compare(systems, against="all", **given).to_html(found["compare"], 100)
    return found


SHOTS = {
    "compare": ("compare", "#theme=light", "answer", (1280, 800)),
    "differences": ("compare", "#theme=light", "differences", (1280, 800)),
    "score": ("score", "#theme=light", "scores", (1280, 800)),
    "caption-dark": ("score", "#theme=dark&caption=2&sort=cider-d", "captions", (1280, 800)),
    "phone": ("compare", "#theme=light", "answer", (390, 760)),
}


@pytest.mark.parametrize("name", SHOTS)
def test_a_picture_of_the_page(browser: Browser, demo: dict[str, Path], tmp_path: Path, name: str) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the pictures small")
    kind, hash, place, size = SHOTS[name]
    try:
        browser.size(*size)
        browser.open(demo[kind], hash)
        browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        if place not in ("answer", "scores"):
            browser.run("document.getElementById(arguments[0]).scrollIntoView()", place)
        browser.run(
            """const panel = document.getElementById('detail');
               const spice = panel?.querySelector("details[data-metric='spice']");
               if (spice) { spice.open = true; panel.scrollTop = spice.offsetTop - panel.offsetTop - 8; }"""
        )
        browser.picture(tmp_path / "shot.png")
    finally:
        browser.size(1280, 900)
    with image.open(tmp_path / "shot.png") as shot:
        assert shot.size == size
        small = shot.convert("RGB").quantize(64)
    assert len(small.getcolors()) > 8, "the picture is blank"
    if "VERICAP_SCREENSHOTS" in os.environ:
        (ROOT / "docs" / "images").mkdir(exist_ok=True)
        small.save(ROOT / "docs" / "images" / f"{name}.png", optimize=True)
