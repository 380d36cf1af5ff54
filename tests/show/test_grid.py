"""Grids of text in each format."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.show.grid import FORMATS, Grid, raised

GRID = Grid(["metric", "tau"], [["bleu_1 & <b>", "0.32 ± 1" + raised("ab")]], "Agreement")


def test_every_format_holds_every_cell() -> None:
    for format in FORMATS:
        assert "0.32" in GRID.draw(format) and "metric" in GRID.draw(format)


def test_latex_escapes_its_signs_and_raises_superscripts() -> None:
    line = GRID.draw("latex").splitlines()[4]
    assert line == r"bleu\_1 \& <b> & 0.32 $\pm$ 1$^{ab}$ \\"


def test_html_escapes_cells() -> None:
    assert "<th>bleu_1 &amp; &lt;b&gt;</th><td>0.32 ± 1ᵃᵇ</td>" in GRID.draw("html")
    assert "<caption>Agreement</caption>" in GRID.draw("html")


def test_csv_quotes_what_needs_quotes() -> None:
    assert Grid(["a"], [["one, two"]]).draw("csv") == 'a\n"one, two"'


def test_an_unknown_format_is_an_error_that_names_the_others() -> None:
    with pytest.raises(InputError, match="'word' is not a format of tables; use one of rich, plain, markdown"):
        GRID.draw("word")
