"""What the pages on rewards and harnesses show is what a user gets."""

from __future__ import annotations

import doctest
from importlib.util import find_spec
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", ["reward.md", "harnesses.md"])
def test_the_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = [name for name in ("torchmetrics", "evaluate") if find_spec(name) is None]
    if page == "harnesses.md" and missing:
        pytest.skip(f"needs {', '.join(missing)}")
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=flags)
    assert tried > 5 and failed == 0
