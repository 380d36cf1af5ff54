"""Static figures from the report inside a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vericap
from vericap.errors import InputError
from vericap.show.report.figures import draw_figures, report_in

REFERENCES = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig", "hen"])}
EXACT = {i: given[0] for i, given in REFERENCES.items()}


@pytest.fixture
def compared(tmp_path: Path) -> Path:
    vague = dict.fromkeys(EXACT, "an animal")
    found = vericap.compare({"exact": EXACT, "$vague$ one": vague}, REFERENCES, metrics="rouge-l,ter", bootstrap=99)
    found.to_html(tmp_path / "compare.html")
    return tmp_path / "compare.html"


def test_every_plot_of_a_comparison_is_a_figure_of_a_columns_width(compared: Path) -> None:
    made = draw_figures(report_in(compared), "svg")
    assert list(made)[:2] == ["differences-exact-_vague_one", "wins-exact-_vague_one"]
    assert {name.split("-")[0] for name in made} == {"differences", "wins", "where"}
    for drawn in made.values():
        width = re.search(rb'width="([\d.]+)pt"', drawn)
        assert width is not None and float(width[1]) == pytest.approx(3.3 * 72, abs=0.5)
        assert b"rouge-l" in drawn or b"short" in drawn


def test_a_figure_is_vector_graphics_and_the_same_bytes_each_time(compared: Path) -> None:
    first, again = (draw_figures(report_in(compared), "pdf", "text") for _ in range(2))
    assert all(drawn.startswith(b"%PDF") for drawn in first.values()) and first == again


def test_scores_have_distributions_a_scatter_plot_and_intervals(tmp_path: Path) -> None:
    result = vericap.evaluate(EXACT, REFERENCES, metrics="rouge-l,ter", bootstrap=20)
    result.to_html(tmp_path / "score.html")
    assert list(draw_figures(report_in(tmp_path / "score.html"), "svg")) == ["distributions", "scatter", "intervals"]


def test_a_verdict_has_its_agreement(tmp_path: Path) -> None:
    from tests.results.test_verdict import VERDICT

    VERDICT.to_html(tmp_path / "judge.html")
    [(name, drawn)] = draw_figures(report_in(tmp_path / "judge.html"), "svg").items()
    assert name == "agreement" and b"spice" in drawn and b"bleu-4" in drawn


def test_a_file_without_a_report_is_an_error(tmp_path: Path, compared: Path) -> None:
    (tmp_path / "other.html").write_text("<html>")
    with pytest.raises(InputError, match="no report in the file"):
        report_in(tmp_path / "other.html")
    with pytest.raises(InputError, match="cannot be read"):
        report_in(tmp_path / "none.html")
    with pytest.raises(InputError, match="not a format of figures"):
        draw_figures(report_in(compared), "bmp")
