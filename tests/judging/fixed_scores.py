"""Metrics whose scores are known, so that what judging must give is known too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from vericap.metrics import Explanation, Metric


@dataclass(frozen=True)
class Fixed(Metric):
    """Scores of the benchmark's rows as given, to know what must come out."""

    numbers: tuple[float, ...] = ()
    name: ClassVar[str] = "fixed"
    question: ClassVar = "adequacy"
    needs: ClassVar[tuple[str, ...]] = ()
    citation: ClassVar[str] = "None."

    def statistics(self, views):
        return np.array(self.numbers)[:, None]

    def score(self, statistics):
        return statistics[:, 0]

    def explain(self, views, i):
        return Explanation(self.key, 0.0, "", [])


@dataclass(frozen=True)
class ObjectCount(Fixed):
    """How many objects the picture of a caption shows."""

    name: ClassVar[str] = "objects"

    def statistics(self, views):
        return np.array([[len(views.corpus.objects_of(row))] for row in range(len(views.corpus))], float)
