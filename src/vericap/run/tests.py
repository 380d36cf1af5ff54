"""How `compare` tests captioners."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from vericap.choices import Against, Test
from vericap.declared import Between, check_fields


@dataclass(frozen=True)
class Tests:
    """The command line makes its options from these fields, with `help` as their text.

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
