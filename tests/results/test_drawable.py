"""Every result draws itself, and what draws is imported when somebody looks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vericap import evaluate
from vericap.results.drawable import show
from vericap.results.scores import Result


@pytest.fixture(scope="module")
def result() -> Result:
    return evaluate({1: "a dog runs"}, {1: ["a dog runs on grass"]}, metrics="rouge-l")


@pytest.mark.parametrize("format", ["plain", "markdown", "latex", "csv", "html"])
def test_a_table_in_each_format_is_the_one_that_show_draws(result: Result, format: str) -> None:
    table = result.table(format)
    assert table == show().as_table(result, format, 1.0)
    assert "rouge-l" in table.lower() and "0.7176" in table


def test_a_scale_multiplies(result: Result) -> None:
    assert "71.8" in result.table(scale=100)
    assert "71.8" in result.to_html(scale=100)


def test_a_page_is_returned_and_written(result: Result, tmp_path: Path) -> None:
    page = result.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page == result.to_html()
    assert page.lower().startswith("<!doctype html>")


def test_a_result_alone_imports_nothing_that_draws() -> None:
    code = "import sys, vericap.results.scores; sys.exit('vericap.show' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
