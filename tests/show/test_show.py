"""The door to the media: how a result is drawn is imported with the first result of its kind."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import vericap
import vericap.show
from vericap.results.scores import Result
from vericap.show import RESULTS, as_table, as_text

CAPTIONS, REFERENCES = {1: "a dog runs"}, {1: ["a dog runs on grass"]}


def test_every_kind_of_result_has_a_file_that_draws_it() -> None:
    for name in RESULTS:
        import_module(f"vericap.show.{name}")
    drawn = {kind.__module__ for medium in (as_table, as_text) for kind in medium.registry}
    assert {f"vericap.results.{name}" for name in RESULTS} <= drawn


def test_a_table_of_scores_is_drawn_without_the_files_of_other_results() -> None:
    program = f"""
import sys, vericap
print(vericap.evaluate({CAPTIONS}, {REFERENCES}, metrics="rouge-l").table())
print(sorted(name for name in sys.modules if name in {[f"vericap.show.{name}" for name in RESULTS]}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *table, imported = done.stdout.splitlines()
    assert "0.7176" in "".join(table)
    assert imported == "['vericap.show.scores']"


def test_the_file_of_a_result_is_there_by_name() -> None:
    program = "import vericap.show; print(vericap.show.verdict.contrast_grid.__module__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "vericap.show.verdict"
    with pytest.raises(AttributeError, match="no attribute 'pages'"):
        vericap.show.pages  # noqa: B018


def test_a_result_of_a_class_derived_from_ours_is_drawn_as_ours() -> None:
    class Mine(Result):
        """Somebody's result."""

    ours = vericap.evaluate(CAPTIONS, REFERENCES, metrics="rouge-l")
    mine = Mine(ours.corpus, dict(ours), ours.notes, ours.label)
    assert as_table(mine) == as_table(ours)
