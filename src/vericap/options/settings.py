"""The settings of a run: reading of inputs, report, and the tests of `compare`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from vericap.options.choices import Missing, Repeated, Test, Uncaptioned
from vericap.options.declared import Between, Checked, option

Resamples: TypeAlias = Annotated[int, Between(0, 10_000_000)]


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """Everything that several verbs let a user choose.

    >>> Settings(tokenizer="unicode").missing
    'error'
    """

    tokenizer: str = option(
        "ptb", "ptb (COCO's), unicode (any language), whitespace, rouge, or none for captions that are tokens already."
    )
    language: str = option("en", "Language of the captions.", python="METEOR's matchers and stop words depend on it.")
    df: Any = option(
        "corpus",
        "Document frequencies of CIDEr: corpus (the references given), coco, or a file.",
        type=str,
        python="Or a `DocumentFrequencies`.",
    )
    missing: Missing = option("error", "Images without references or objects: refuse, leave out, or score 0.")
    repeated: Repeated = option(
        "error", "Several candidates for one image: refuse, the first, all, or the best by the first metric."
    )
    uncaptioned: Uncaptioned = option(
        "skip", "Images of the references without a caption: refuse, leave out, or score an empty caption."
    )
    workers: Annotated[int, Between(0, 4096)] = option(
        1, "Cores to use; 0 means all of them.", command_line=0, python="The numbers do not depend on it."
    )
    seed: Annotated[int, Between(0, 2**63 - 1)] = option(0, "Seed of everything random.")

    called = "a run"


@dataclass(frozen=True)
class Summary(Checked):
    """The parts of a table of scores besides the corpus scores."""

    bootstrap: Resamples = option(0, "Number of resamples of images for a 95 % interval of each score; 0 for none.")
    group_by: str | None = option(
        None, "Field of the captions, or of COCO's images; each of its values gets a row of its own."
    )

    called = "a table of scores"


@dataclass(frozen=True)
class Tests(Checked):
    """The tests of captioners in `compare`.

    >>> Tests(bootstrap=0)
    Traceback (most recent call last):
    vericap.errors.InputError: field "bootstrap": bootstrap=0 is out of bounds for a comparison; use a whole number ...
    """

    test: Test = option(
        "bootstrap", "Paired bootstrap over images, exchange of captions, or Student's t with the bootstrap's error."
    )
    against: str = option("first", "What each captioner is compared with: first, all (every two), or a name.")
    bootstrap: Annotated[int, Between(1, 10_000_000)] = option(
        1000, "Number of resamples of images for intervals and tests.", former=("resamples",)
    )
    examples: Annotated[int, Between(0, 1_000_000)] = option(
        10, "Number of images to show whose captions differ most, for each two captioners."
    )

    called = "a comparison"
