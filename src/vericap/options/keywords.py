"""Keyword arguments of `evaluate`, `compare` and `explain`: the fields of `Inputs` and `Settings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypedDict

from vericap.options.choices import Against, Missing, Repeated, Test, Uncaptioned
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings, Tests


class Options(TypedDict, total=False):
    """What may be given to every verb beside captions and references; see `Inputs` and `Settings`."""

    objects: Any
    confidence: float | Sequence[float]
    regions: Any
    split: str | None
    columns: Mapping[str, str] | Sequence[str] | None
    images: str | Path | None
    detector: Any
    cache: str | Path | None
    megapixels: float
    tokenizer: str
    language: str
    df: Any
    missing: Missing
    repeated: Repeated
    uncaptioned: Uncaptioned
    workers: int
    seed: int


class CompareOptions(Options, total=False):
    """What may be given to `compare`; see `Tests`."""

    test: Test
    against: Against
    resamples: int
    examples: int


_INPUTS = {each.name: Inputs for each in fields(Inputs) if each.name not in ("candidates", "references")}
_RUN = {**_INPUTS, **{each.name: Settings for each in fields(Settings)}}
_COMPARISON = {**_RUN, **{each.name: Tests for each in fields(Tests)}}


def sort_options(options: Mapping[str, Any], homes: Mapping[str, Any]) -> dict[Any, dict[str, Any]]:
    """Keyword arguments by the class that each belongs to; an unknown one is a TypeError with the nearest name.

    >>> sort_options({"seed": 3}, {"seed": Settings})
    {<class 'vericap.options.settings.Settings'>: {'seed': 3}}
    """
    found: dict[Any, dict[str, Any]] = {home: {} for home in homes.values()}
    for name, value in options.items():
        if name not in homes:
            near = get_close_matches(name, homes, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"unexpected keyword argument {name!r}{hint}")
        found[homes[name]][name] = value
    return found


def split_options(candidates: Any, references: Any, options: Any) -> tuple[Inputs, Settings]:
    """Inputs and settings from keyword arguments.

    >>> inputs, settings = split_options({1: "a dog"}, None, {"tokenizer": "unicode", "objects": {1: ["dog"]}})
    >>> inputs.objects, settings.tokenizer
    ({1: ['dog']}, 'unicode')
    """
    given = sort_options(options, _RUN)
    return Inputs(candidates, references, **given[Inputs]), Settings(**given[Settings])


def split_compare_options(candidates: Any, references: Any, options: Any) -> tuple[Inputs, Settings, Tests]:
    """Inputs, settings and tests from the keyword arguments of `compare`.

    >>> split_compare_options({}, None, {"test": "permutation"})[2].test
    'permutation'
    """
    given = sort_options(options, _COMPARISON)
    return Inputs(candidates, references, **given[Inputs]), Settings(**given[Settings]), Tests(**given[Tests])
