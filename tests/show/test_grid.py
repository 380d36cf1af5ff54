"""Grids of text in each format."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.show.grid import FORMATS, Grid, raised, spreadsheet_text
from vericap.show.screen import on_screen

GRID = Grid(["metric", "tau"], [["bleu_1 & <b>", "0.32 ± 1" + raised("ab")]], "Agreement")


def test_every_format_holds_every_cell() -> None:
    for format in FORMATS:
        assert "0.32" in GRID.draw(format) and "metric" in GRID.draw(format)


def test_latex_escapes_its_signs_and_raises_superscripts() -> None:
    line = GRID.draw("latex").splitlines()[5]
    assert line == r"bleu\_1 \& \textless{}b\textgreater{} & 0.32 $\pm$ 1$^{ab}$ \\"
    every = Grid(["x"], [[r"\ ^ ~ { } # $ % & _"]]).draw("latex").splitlines()[5]
    assert every == (r"\textbackslash{} \textasciicircum{} \textasciitilde{} \{ \} \# \$ \% \& \_ \\")


def test_html_escapes_cells() -> None:
    assert "<th>bleu_1 &amp; &lt;b&gt;</th><td>0.32 ± 1ᵃᵇ</td>" in GRID.draw("html")
    assert "<caption>Agreement</caption>" in GRID.draw("html")


def test_csv_quotes_what_needs_quotes() -> None:
    assert Grid(["a"], [["one, two"]]).draw("csv") == 'a\n"one, two"'


def test_an_unknown_format_is_an_error_that_names_the_others() -> None:
    with pytest.raises(InputError, match="'word' is not a format of tables; use one of rich, plain, markdown"):
        GRID.draw("word")


def test_markdown_keeps_a_cell_in_its_cell_and_a_row_in_its_row() -> None:
    assert Grid(["a|b"], [["one\ntwo | \\three"]]).draw("markdown").splitlines() == [
        r"| a\|b |",
        "| --- |",
        r"| one two \| \\three |",
    ]


def test_a_name_is_not_markup() -> None:
    shown = Grid(["name"], [["m[v1]"], ["m[v2]"], ["[/bold] x"]]).draw("rich")
    assert "m[v1]" in shown and "m[v2]" in shown and "[/bold] x" in shown


def test_no_cell_acts_on_a_terminal_or_in_a_spreadsheet() -> None:
    evil = Grid(["a"], [["\x1b[2J"], ["=1+1"], ["-0.5"]])
    assert "\x1b[2J" not in evil.draw("plain") + evil.draw("rich") + evil.draw("html") + evil.draw("markdown")
    assert evil.draw("csv").splitlines()[-2:] == ["'=1+1", "-0.5"]


def test_a_wide_grid_is_turned_round_if_its_rows_fit_beside_each_other() -> None:
    wide = Grid(["", *(f"metric-{k}" for k in range(9))], [["mine", *"123456789"]])
    with on_screen(40):
        lines = wide.draw("plain").splitlines()
    assert lines[:2] == ["          mine", "metric-0     1"] and len(lines) == 10


def test_a_wide_grid_is_folded_if_they_do_not() -> None:
    wide = Grid(["pair", "of", "p", "q", "r"], [["a" * 9, "b" * 9, *"123"]] * 20, names=2)
    with on_screen(24):
        blocks = wide.draw("plain").split("\n\n")
    assert [block.splitlines()[0].split() for block in blocks] == [["pair", "of", each] for each in "pqr"]
    assert all(len(line) <= 24 for block in blocks for line in block.splitlines())
    assert len(wide.draw("plain").split("\n\n")) == 1  # not on a screen


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "@SUM(A1)", "+1+cmd", "-1+2", "\tx", "\r=1"])
def test_what_a_spreadsheet_would_compute_is_text(text: str) -> None:
    assert spreadsheet_text(text) == "'" + text


@pytest.mark.parametrize("text", ["a dog", "-0.25", "+1e-3", "", "5 = five"])
def test_numbers_and_other_text_stay(text: str) -> None:
    assert spreadsheet_text(text) == text
