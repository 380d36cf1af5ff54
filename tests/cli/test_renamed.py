"""Options under their former names."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from vericap.cli.renamed import with_former_names


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()

    @app.command(cls=with_former_names({"--many": "--count"}))
    def say(text: str, count: int = 1) -> None:
        typer.echo(f"{text} " * count)

    return app


@pytest.mark.parametrize("words", [["--many", "2"], ["--many=2"], ["--count", "2"], ["--count=2"]])
def test_both_names_work_with_and_without_a_sign(app: typer.Typer, words: list[str]) -> None:
    assert CliRunner().invoke(app, ["dog", *words]).stdout.split() == ["dog", "dog"]


def test_values_and_arguments_keep_their_signs(app: typer.Typer) -> None:
    assert CliRunner().invoke(app, ["a=b"]).stdout.split() == ["a=b"]


def test_help_shows_the_present_name_alone(app: typer.Typer) -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    assert "--count" in shown and "--many" not in shown
