"""What the pages show in Python's interactive mode (```pycon) is what a user gets. Programs (```python) are run by
tests/docs/test_code.py."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [page.name for page in sorted(DOCS.glob("*.md")) if "```pycon" in page.read_text("utf-8")]


def test_a_prompt_is_in_a_block_that_is_run_here() -> None:
    assert {"reward.md", "harnesses.md"} <= set(PAGES)
    for page in DOCS.rglob("*.md"):
        text = page.read_text("utf-8")
        assert "```pycon" not in text or page.parent == DOCS, page
        assert "```python\n>>>" not in text, page


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.torch] * (page == "harnesses.md")) for page in PAGES]
)
def test_the_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=flags)
    assert tried > 5 and failed == 0
