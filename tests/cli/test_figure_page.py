"""`vericap figure page`."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

import vericap
from vericap.cli import app


def test_each_plot_is_written_as_pdf_and_svg(tmp_path: Path) -> None:
    vericap.evaluate({1: "a dog", 2: "a cat"}, {1: ["a dog"], 2: ["cats"]}, metrics="bleu-1,ter").to_html(
        tmp_path / "p.html"
    )
    done = CliRunner().invoke(app, ["figure", "page", str(tmp_path / "p.html"), "-o", str(tmp_path / "figures")])
    assert done.exit_code == 0, done.output
    names = {"distributions.pdf", "distributions.svg", "scatter.pdf", "scatter.svg"}
    assert {path.name for path in (tmp_path / "figures").iterdir()} == names
    assert {Path(line).name for line in done.stdout.split()} == names
