"""axe-core finds nothing to mend on any page, light or dark. (axe-core 4.14.0, MPL-2.0, lies beside this file; it is
not part of the package.)"""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser
from tests.browser.conftest import DEMO
from tests.results.test_verdict import VERDICT

AXE = Path(__file__).parent / "axe" / "axe.min.js"
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(found => done(found.violations.map(each =>
  `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')}`)));
"""


EXPLAINED = "bleu-4,meteor,cider-d,spice,ter,wmd,vifidel,chair-i,fluency,verity,fier"


@pytest.fixture(scope="module", params=["score", "compare", pytest.param(EXPLAINED, id="explain"), "judge"])
def path(request: pytest.FixtureRequest, pages: Path, score_page: Path) -> Path:
    if request.param == "score":
        return score_page
    made = pages / f"accessible-{request.param_index}.html"
    systems = {name: DEMO / f"{name}.json" for name in ("strong", "middling")}
    references, objects = DEMO / "references.json", DEMO / "objects.json"
    if request.param == "compare":
        vericap.compare(systems, references, objects=objects, metrics="cider-d,ter,chair-i").to_html(made)
    elif request.param == "judge":
        VERDICT.to_html(made)
    else:
        vericap.explain(systems["strong"], references, objects=objects, image_id=2, metrics=request.param).to_html(made)
    return made


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation(browser: Browser, path: Path, theme: str) -> None:
    browser.open(path, f"#theme={theme}&caption=2")
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    browser.driver.execute_script(AXE.read_text("utf-8"))
    assert browser.driver.execute_async_script(RUN) == []
