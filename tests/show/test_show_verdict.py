"""A verdict drawn: which measures are shown, what superscripts say, and what a reader is told."""

from __future__ import annotations

from dataclasses import replace

from tests.results.test_verdict import VERDICT as PAGE_VERDICT
from tests.show.report.reading import report_of
from vericap.results.verdict import MetricRow, PublishedValue, Verdict
from vericap.show.verdict import published_grid, sentences, verdict_grid
from vericap.stats.resampling import Estimate

ROWS = [
    MetricRow("ter", {"kendall_b": Estimate(-0.3, (-0.32, -0.28))}, ties=0.125, higher_is_better=False),
    MetricRow("spice", {"kendall_b": Estimate(0.45), "kendall_c": Estimate(0.4)}, beats=[0]),
]
VERDICT = Verdict(
    "mine", "captions", "Me. 2026.", "usual", "usual (me): judges apart", {}, 1200, ROWS, "kendall_b", bootstrap=1000
)


def test_superscripts_name_the_rows_beaten_in_the_measure_of_the_protocol() -> None:
    grid = verdict_grid(VERDICT)
    assert grid.head == ["metric", "kendall_b", "kendall_c", "ties"]
    assert grid.rows == [["a ter", "-30.00 ±2.0", "–", "12.5%"], ["b spice", "45.00ᵃ", "40.00", "–"]]
    assert grid.title == "mine, usual, n = 1,200"
    assert VERDICT.table("csv", scale=1).splitlines()[1] == "a ter,-0.300 ±0.0,–,12.5%"


def test_of_several_questions_each_has_the_coefficient_of_the_protocol() -> None:
    row = MetricRow("x", {name: Estimate(0.5) for name in ("pearson", "M1.pearson", "M1.p_value", "M2.pearson")})
    grid = verdict_grid(replace(VERDICT, rows=[row], measure="M1.pearson"))
    assert grid.head == ["metric", "M1.pearson", "M2.pearson", "ties"]


def test_published_values_have_one_digit_more_beside_them() -> None:
    value = PublishedValue("spice", "accuracy.HC", 64.9, 65.1298, "Me (2026)", "Table 1")
    grid = published_grid(replace(VERDICT, published=[value]))
    assert grid.rows == [["spice", "HC", "64.9", "65.13", "+0.23", "Me (2026), Table 1"]]


def test_sentences_say_what_the_table_cannot() -> None:
    people = {"kendall_b": 0.7, "pairs.kendall_b": 0.6}
    text = "\n".join(sentences(replace(VERDICT, ceiling=people, notes=["3 pairs left out"])))
    for part in ("protocol usual (me): judges apart", "1,000 resamples of images", "lower is better for ter"):
        assert part in text
    assert "the mean of the others kendall_b 0.700; two judges kendall_b 0.600" in text
    assert text.endswith("3 pairs left out\ncite: Me. 2026.")
    assert "resamples of systems" in "\n".join(sentences(replace(VERDICT, choices={"level": "system"})))


def test_the_page_has_everything_and_escapes_it() -> None:
    page = replace(VERDICT, what="a < b").to_html()
    assert "a &lt; b" in page and "<table>" in page and "cite: Me. 2026." in page


def test_the_page_holds_the_numbers_of_the_json() -> None:
    report = report_of(replace(PAGE_VERDICT, what="a < b").to_html())
    shown = {row["metric"]: row["estimates"]["kendall_b"]["value"] for row in report["rows"]}
    assert shown == {row["metric"]: row["kendall_b"] for row in PAGE_VERDICT.to_dict()["rows"]}
    assert report["published"][1][:3] == ["spice", "kendall_b", "44"]


def test_a_notebook_shows_the_table_and_whom_to_cite() -> None:
    shown = PAGE_VERDICT._repr_html_()
    assert "<table>" in shown and "cite: Me. 2026." in shown and "<script" not in shown
