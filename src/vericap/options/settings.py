"""How a run reads its inputs: everything that several verbs let a user choose, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from vericap.options.choices import Against, Missing, Repeated, Test, Uncaptioned
from vericap.options.declared import Between, check_fields


@dataclass(frozen=True, eq=False)
class Settings:
    """The command line makes its options from these fields, with `help` as their text.

    >>> Settings(tokenizer="unicode").missing
    'error'
    """

    tokenizer: str = field(
        default="ptb", metadata={"help": "ptb (COCO's), unicode (any language), whitespace, rouge or none."}
    )
    language: str = field(default="en", metadata={"help": "Language of the captions."})
    df: Any = field(  # "corpus", "coco", a path, or a `DocumentFrequencies`
        default="corpus",
        metadata={"help": "Document frequencies of CIDEr: corpus, coco, or a file.", "type": str},
    )
    missing: Missing = field(
        default="error",
        metadata={"help": "Images without references or objects: refuse, leave out, or score 0."},
    )
    repeated: Repeated = field(
        default="error",
        metadata={"help": "Several candidates for one image: refuse, the first, all, or the best by the first metric."},
    )
    uncaptioned: Uncaptioned = field(
        default="skip",
        metadata={"help": "Images of the references without a caption: refuse, leave out, or score an empty caption."},
    )
    workers: Annotated[int, Between(0, 4096)] = field(
        default=1, metadata={"help": "Cores to use; 0 means all of them.", "command_line": 0}
    )
    seed: Annotated[int, Between(0, 2**63 - 1)] = field(default=0, metadata={"help": "Seed of everything random."})

    def __post_init__(self) -> None:
        check_fields(self, "a run")


@dataclass(frozen=True)
class Tests:
    """How `compare` tests captioners.

    >>> Tests(resamples=0)
    Traceback (most recent call last):
    vericap.errors.InputError: field "resamples": resamples=0 is out of bounds for a comparison; use a whole number ...
    """

    test: Test = field(
        default="bootstrap",
        metadata={"help": "Paired bootstrap over images, exchange of captions, or Student's t with bootstrap error."},
    )
    against: Against = field(default="first", metadata={"help": "Test each captioner against the first, or every two."})
    resamples: Annotated[int, Between(1, 10_000_000)] = field(
        default=1000, metadata={"help": "Number of resamples for intervals and tests."}
    )
    examples: Annotated[int, Between(0, 1_000_000)] = field(
        default=10, metadata={"help": "Number of images to show whose captions differ most, for each two captioners."}
    )

    def __post_init__(self) -> None:
        check_fields(self, "a comparison")
