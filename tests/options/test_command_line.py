"""Options of the command line are made from the fields of dataclasses, and work under their former names."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Annotated, Any, Literal

import pytest
import typer
from typer.testing import CliRunner

from vericap.errors import FormerWord
from vericap.options.command_line import add_verb
from vericap.options.declared import Without, option


@dataclass(frozen=True)
class Drawing:
    """A group of options."""

    of: Any = option(MISSING, "Whom to draw.", type=str, argument=True)
    width: int = option(640, "Width in pixels.", flags=("--width", "-w"), former=("wide",))
    colours: float | list[float] = option(0.5, "Shades.", type=list[float])
    cores: int = option(1, "Cores.", command_line=0)
    order: Literal["up", "down"] = option("up", "Order.")
    hidden: str = option("kept", "Python has it alone.", flags=None)
    secret: str = "kept"


def run(verb: Any, *words: str) -> Any:
    """What a verb was called with."""
    called: dict[str, Any] = {}
    verb.__globals__["called"] = called
    made = typer.Typer(pretty_exceptions_enable=False)
    add_verb(made, "draw", verb)
    result = CliRunner().invoke(made, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return called


def draw(drawing: Drawing, *, name: str = "dog") -> None:
    called.update(drawing=drawing, name=name)  # type: ignore[name-defined] # noqa: F821


def test_a_dataclass_becomes_one_option_for_each_field() -> None:
    assert run(draw, "rex") == {"drawing": Drawing("rex", cores=0), "name": "dog"}
    words = ["rex", "-w", "3", "--colours", "0.1", "--colours", "0.2", "--cores", "2", "--order", "down", "--name", "b"]
    assert run(draw, *words) == {"drawing": Drawing("rex", 3, [0.1, 0.2], 2, "down"), "name": "b"}


def draw_wide(drawing: Annotated[Drawing, Without({"of", "cores"})] = Drawing("nobody", 99)) -> None:  # noqa: B008
    called.update(drawing=drawing)  # type: ignore[name-defined] # noqa: F821


def test_a_verb_may_leave_fields_out_and_have_its_own_defaults() -> None:
    assert run(draw_wide)["drawing"] == Drawing(None, 99)
    made = typer.Typer()
    add_verb(made, "draw", draw_wide)
    assert "no such option" in CliRunner().invoke(made, ["--cores", "2"]).output.lower()


@pytest.mark.parametrize("words", [["--wide", "2"], ["--wide=2"]])
def test_a_former_word_works_with_and_without_a_sign_and_says_when_it_goes(words: list[str]) -> None:
    with pytest.warns(FormerWord, match="--wide is called --width now; --wide goes in 0.4"):
        assert run(draw, "a=b", *words)["drawing"] == Drawing("a=b", 2, cores=0)


def test_help_shows_present_words_alone() -> None:
    made = typer.Typer()
    add_verb(made, "draw", draw)
    shown = CliRunner().invoke(made, ["--help"]).stdout
    assert "--width" in shown and not any(word in shown for word in ("--wide", "--hidden", "--secret"))
