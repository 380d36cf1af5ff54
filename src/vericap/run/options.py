"""Keyword arguments of `evaluate`, `compare` and `explain`: the fields of `Inputs` and `Settings`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from vericap.choices import Missing, Repeated
from vericap.run.inputs import Inputs
from vericap.run.settings import Settings

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.vision.detectors import Detector


class Options(TypedDict, total=False):
    """What may be given to every verb beside captions and references; see `Inputs` and `Settings`."""

    objects: Any
    confidence: float | Sequence[float]
    regions: Any
    images: str | Path | None
    detector: str | Detector | None
    tokenizer: str
    language: str
    df: str | Path | DocumentFrequencies
    missing: Missing
    repeated: Repeated
    workers: int
    seed: int


def split_options(candidates: Any, references: Any, options: Any) -> tuple[Inputs, Settings]:
    """Inputs and settings from keyword arguments.

    >>> inputs, settings = split_options({1: "a dog"}, None, {"tokenizer": "unicode", "objects": {1: ["dog"]}})
    >>> inputs.objects, settings.tokenizer
    ({1: ['dog']}, 'unicode')
    """
    of_inputs = {each.name for each in fields(Inputs)} - {"candidates", "references"}
    of_settings = {each.name for each in fields(Settings)}
    for name in options:
        if name not in of_inputs | of_settings:
            near = get_close_matches(name, of_inputs | of_settings, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"unexpected keyword argument {name!r}{hint}")
    return (
        Inputs(candidates, references, **{name: value for name, value in options.items() if name in of_inputs}),
        Settings(**{name: value for name, value in options.items() if name in of_settings}),
    )
