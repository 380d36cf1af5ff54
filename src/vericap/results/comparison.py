"""The result of `compare`: the results of several captioners, their contrasts, and captions that differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vericap.corpus import ImageId
from vericap.options.choices import Test
from vericap.results.drawable import Drawable, show
from vericap.results.plain import ByName, fields, versions
from vericap.results.scores import Result
from vericap.stats.contrast import Contrast
from vericap.stats.significance import beaten

CONTRAST = ("system", "against", "difference", "p", "corrected", "effect", "interval")


@dataclass(frozen=True)
class Example:
    """An image whose captions differ much. `difference` says how much better the captioner's caption is: the
    mean over the metrics, each in standard deviations of its differences."""

    image_id: ImageId
    system: str
    against: str
    difference: float
    captions: Mapping[str, str]
    scores: Mapping[str, Mapping[str, float]]
    references: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return fields(self, "image_id", "system", "against", "difference", "captions", "references", "scores")


@dataclass(frozen=True, eq=False)
class Comparison(ByName[Result], Drawable):
    """The result of each captioner by name, contrasts by metric, captions that differ most."""

    results: Mapping[str, Result]
    contrasts: Mapping[str, Sequence[Contrast]]
    examples: Sequence[Example]
    images: int
    test: Test
    resamples: int
    seed: int
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)} on {self.images:,} images by {', '.join(self.contrasts)}>"

    def beats(self, key: str) -> list[list[int]]:
        """Return for each captioner the places of those it beats significantly by a metric."""
        names = list(self)
        p = np.full((len(names), len(names)), np.nan)
        for each in self.contrasts[key]:
            i, j = names.index(each.system), names.index(each.against)
            p[i, j] = p[j, i] = each.corrected
        results = [result[key] for result in self.values()]
        return beaten([each.score for each in results], p, higher_is_better=results[0].higher_is_better)

    def contrast_table(self, format: str = "plain", scale: float = 1.0) -> str:
        """Return one row for each two captioners and metric: difference, interval, p, effect, won, tied and lost."""
        return str(show().contrast_table(self, format, scale))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of `vericap compare --json`. Numbers that do not exist are None."""
        return {
            **versions(),
            "systems": list(self),
            "images": self.images,
            "test": {
                "name": self.test,
                "resamples": self.resamples,
                "seed": self.seed,
                "correction": "holm, over the pairs of each metric",
            },
            "metrics": {key: self._metric(key) for key in self.contrasts},
            "examples": [each.to_dict() for each in self.examples],
            "notes": list(self.notes),
        }

    def _metric(self, key: str) -> dict[str, Any]:
        first = next(iter(self.values()))[key]
        return {
            **fields(first, "signature", "range", "higher_is_better"),
            "systems": {name: fields(result[key], "score", "interval") for name, result in self.items()},
            "pairs": [fields(each, *CONTRAST, "wins", "ties", "losses", "bound") for each in self.contrasts[key]],
        }
