"""Images with candidates and references as one input of the model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vericap.arrays import Integers, Ragged
from vericap.metrics.faier.graphs import ReferencePairs
from vericap.metrics.faier.inputs import CaptionColumns, RegionBatch, TextBatch


class Batch(NamedTuple):
    """Images, all captions that the batch needs once each, and which of them are candidates and references."""

    regions: RegionBatch | None  # None for a model that uses no image
    texts: TextBatch
    candidates: Tensor  # [candidates]: rows of texts
    references: ReferencePairs

    @classmethod
    def of(
        cls, captions: CaptionColumns, regions: RegionBatch | None, candidates: Integers, references: Ragged
    ) -> Batch:
        """From rows of `captions`: those of the candidates, and those of each image's references."""
        rows, place = np.unique(np.concatenate([candidates, references.values]), return_inverse=True)
        of_candidates, of_references = torch.from_numpy(place).split([len(candidates), len(references.values)])
        pairs = ReferencePairs.of(of_references, torch.from_numpy(references.lengths))
        return cls(regions, captions.batch(rows), of_candidates, pairs)
