"""Options are made from the fields of dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.testing import CliRunner

from vericap.cli import app
from vericap.cli.options import PERCENT, Output, Without, grouped_options
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings


@dataclass(frozen=True)
class Drawing:
    """A group of options."""

    of: Any = field(metadata={"help": "Whom to draw.", "type": str, "argument": True})
    width: int = field(default=640, metadata={"help": "Width in pixels.", "flags": ("--width", "-w")})
    colours: float | list[float] = field(default=0.5, metadata={"help": "Shades.", "type": list[float]})
    cores: int = field(default=1, metadata={"help": "Cores.", "command_line": 0})
    order: Literal["up", "down"] = field(default="up", metadata={"help": "Order."})
    secret: str = "kept"


def run(verb: Any, *words: str) -> Any:
    """What a verb was called with."""
    called: dict[str, Any] = {}
    verb.__globals__["called"] = called
    made = typer.Typer(pretty_exceptions_enable=False)
    made.command()(grouped_options(verb))
    result = CliRunner().invoke(made, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return called


def draw(drawing: Drawing, *, name: str = "dog") -> None:
    called.update(drawing=drawing, name=name)  # type: ignore[name-defined] # noqa: F821


def test_a_dataclass_becomes_one_option_for_each_field() -> None:
    assert run(draw, "rex") == {"drawing": Drawing("rex", cores=0), "name": "dog"}
    words = ["rex", "-w", "3", "--colours", "0.1", "--colours", "0.2", "--cores", "2", "--order", "down", "--name", "b"]
    assert run(draw, *words) == {"drawing": Drawing("rex", 3, [0.1, 0.2], 2, "down"), "name": "b"}


def draw_wide(drawing: Annotated[Drawing, Without("of", "cores")] = Drawing("nobody", 99)) -> None:  # noqa: B008
    called.update(drawing=drawing)  # type: ignore[name-defined] # noqa: F821


def test_a_verb_may_leave_fields_out_and_have_its_own_defaults() -> None:
    assert run(draw_wide)["drawing"] == Drawing(None, 99)
    made = typer.Typer()
    made.command()(grouped_options(draw_wide))
    assert "no such option" in CliRunner().invoke(made, ["--cores", "2"]).output.lower()


def commands() -> dict[str, dict[str, Any]]:
    """The options of each verb by name."""
    verbs = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return {verb: {each.name: each for each in command.params} for verb, command in verbs.items()}


def test_every_verb_offers_the_inputs_and_settings_it_uses() -> None:
    inputs, settings = (set(kind.__dataclass_fields__) for kind in (Inputs, Settings))
    for verb, left_out in {
        "score": set(),
        "compare": {"candidates"},
        "explain": {"missing", "uncaptioned", "workers", "seed"},
        "judge": {"candidates", "references", "split", "language", "repeated", "uncaptioned"},
    }.items():
        assert (inputs | settings) - set(commands()[verb]) == left_out


def test_every_option_has_a_help_text_that_is_one_sentence() -> None:
    for verb in ("score", "compare", "explain", "judge", "graph", "metrics", "demo"):
        for name, option in commands()[verb].items():
            text = getattr(option, "help", None)
            assert name == "help" or (text and text.endswith(".") and "\n" not in text), (verb, name, text)


def test_output_names_the_files_to_write() -> None:
    assert Output(json=Path("a"), png=Path("b")).files() == [("json", Path("a")), ("png", Path("b"))]
    assert PERCENT.files() == [] and PERCENT.scale == 100
