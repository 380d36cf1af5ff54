"""How `judge` tests metrics against each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from vericap.options.declared import Between, check_fields

AgreementTest: TypeAlias = Literal["studentised", "bootstrap"]


@dataclass(frozen=True)
class AgreementTests:
    """How metrics are tested against each other. The command line makes its options from these fields.

    >>> AgreementTests(test="t")
    Traceback (most recent call last):
    vericap.errors.InputError: field "test": test=t is not a choice of judge; use one of studentised, bootstrap
    """

    bootstrap: Annotated[int, Between(0, 10_000_000)] = field(
        default=1000, metadata={"help": "Resamples of images for intervals and tests; 0 for none."}
    )
    test: AgreementTest = field(
        default="studentised",
        metadata={"help": "Student's t with the bootstrap's standard error, or the share of resamples beyond 0."},
    )
    against: str | None = field(
        default=None, metadata={"help": "Test each metric against this one only, instead of every two."}
    )

    curves: bool = field(
        default=False,
        metadata={"help": "Add curves against caption length and number of references to the page of --html."},
    )

    def __post_init__(self) -> None:
        check_fields(self, "judge")
