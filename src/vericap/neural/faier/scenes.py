"""What a trained FAIEr scores: candidates, each in its scene, a picture with its references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vericap.arrays import Integers
from vericap.corpus import Regions
from vericap.neural.faier.triplets import Caption


@dataclass(frozen=True, eq=False)
class Scenes:
    """Candidate c is in scene `scene[c]`. Scene s is image `rows[s]` of `regions` with the captions `references[s]`,
    and is encoded once for all its candidates. A model that uses no image has no regions."""

    candidates: Sequence[Caption]
    scene: Integers
    references: Sequence[Sequence[Caption]]
    regions: Regions | None = None
    rows: Integers | None = None

    def only(self, candidate: int) -> Scenes:
        """One candidate in its scene."""
        scene = int(self.scene[candidate])
        rows = None if self.rows is None else self.rows[scene : scene + 1]
        return Scenes([self.candidates[candidate]], np.zeros(1, np.int64), [self.references[scene]], self.regions, rows)
