"""The result of `vericap figure`: the agreement of each metric with people, at several points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vericap.arrays import Floats
from vericap.results.drawable import Drawable
from vericap.results.plain import fields, versions


@dataclass(frozen=True, eq=False)
class Curve(Drawable):
    """`values[metric]` has one number per point, of the `measure` that the y-axis shows; `across` names the x-axis.

    `spread` is half an interval, or the standard deviation over draws of references; `published` are the values of a
    paper at the same points, NaN where it has no value; `counts` are the numbers of captions or pairs at each point.
    """

    title: str
    across: str
    measure: str
    points: Sequence[float]
    values: Mapping[str, Floats]
    spread: Mapping[str, Floats] = field(default_factory=dict)
    published: Mapping[str, Floats] = field(default_factory=dict)
    protocol: str = ""
    counts: Sequence[int] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of `vericap figure`. Numbers that do not exist are None."""
        return {
            **versions(),
            **fields(self, "title", "across", "measure", "protocol", "points", "counts"),
            **fields(self, "values", "spread", "published"),
        }
