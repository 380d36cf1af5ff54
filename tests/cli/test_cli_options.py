"""Each verb offers what it uses, with help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from vericap.cli import app
from vericap.cli.options import PERCENT, Output
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings


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
