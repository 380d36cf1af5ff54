"""Keyword arguments of `evaluate`, `compare` and `explain`: what they are, and their types for static checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from vericap.options.choices import Missing, Repeated, Test, Uncaptioned
from vericap.options.declared import Without
from vericap.options.inputs import Inputs
from vericap.options.keywords import Keywords
from vericap.options.settings import Settings, Summary, Tests

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.vision.detectors import Detector

_GIVEN = Annotated[Inputs, Without({"candidates", "references"})]
RUN = Keywords(_GIVEN, Settings)
EVALUATE = Keywords(_GIVEN, Settings, Summary)
COMPARE = Keywords(_GIVEN, Settings, Tests)


class PictureOptions(TypedDict, total=False):
    """The keywords of every verb."""

    objects: Any
    confidence: float | Sequence[float]
    regions: Any
    field: Mapping[str, str] | Sequence[str] | None
    columns: Mapping[str, str] | Sequence[str] | None  # a former word
    images: str | Path | None
    detector: str | Detector | None
    cache: str | Path | None
    keep_graphs: bool
    megapixels: float
    missing: Missing
    workers: int
    seed: int


class Options(PictureOptions, total=False):
    """The keywords of `explain` and `stream`: the fields of `Inputs` and `Settings`."""

    split: str | None
    tokenizer: str
    language: str
    df: str | Path | DocumentFrequencies
    repeated: Repeated
    uncaptioned: Uncaptioned


class EvaluateOptions(Options, total=False):
    """The keywords of `evaluate`; see `Summary`."""

    bootstrap: int
    group_by: str | None


class CompareOptions(Options, total=False):
    """The keywords of `compare`; see `Tests`."""

    test: Test
    against: str
    bootstrap: int
    resamples: int  # a former word
    examples: int


def inputs_and_settings(
    candidates: Any, references: Any, given: Mapping[Any, Mapping[str, Any]]
) -> tuple[Inputs, Settings]:
    """Return inputs and settings from keyword arguments by class.

    >>> given = RUN.read({"tokenizer": "unicode", "objects": {1: ["dog"]}})
    >>> inputs, settings = inputs_and_settings({1: "a dog"}, None, given)
    >>> inputs.objects, settings.tokenizer
    ({1: ['dog']}, 'unicode')
    """
    return Inputs(candidates, references, **given[Inputs]), Settings(**given[Settings])
