"""A batch holds each caption once."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.arrays import Ragged
from vericap.metrics.faier.batch import Batch
from vericap.metrics.faier.inputs import CaptionColumns
from vericap.metrics.faier.triplets import Caption

pytestmark = pytest.mark.torch


def test_candidates_and_references_are_rows_of_the_same_texts() -> None:
    words: dict[str, int] = {}
    captions = CaptionColumns.encode([Caption((word,)) for word in ("dog", "cat", "bird", "cow")], words)
    batch = Batch.of(captions, None, np.array([3, 1]), Ragged.of([[1, 0], [3]]))
    assert batch.texts.distinct.tolist() == [words["dog"], words["cat"], words["cow"]]
    assert batch.candidates.tolist() == [2, 1]
    assert batch.references.caption.tolist() == [1, 0, 2] and batch.references.scene.tolist() == [0, 0, 1]
