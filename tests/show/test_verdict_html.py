"""The page of a verdict, and what a notebook shows."""

from __future__ import annotations

from dataclasses import replace

from tests.results.test_verdict import VERDICT
from tests.show.report.reading import report_of


def test_the_page_holds_the_numbers_of_the_json() -> None:
    report = report_of(replace(VERDICT, what="a < b").to_html())
    shown = {row["metric"]: row["estimates"]["kendall_b"]["value"] for row in report["rows"]}
    assert shown == {row["metric"]: row["kendall_b"] for row in VERDICT.to_dict()["rows"]}
    assert report["published"][1][:3] == ["spice", "kendall_b", "44"]


def test_a_notebook_shows_the_table_and_whom_to_cite() -> None:
    shown = VERDICT._repr_html_()
    assert "<table>" in shown and "cite: Me. 2026." in shown and "<script" not in shown
