"""Each metric finds its model, and each model is read once."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.metrics.faier.faier_captions import CAPTIONS, OBJECTS, REFERENCES, Make, key, model, scores
from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics.faier.checkpoints import load

pytestmark = pytest.mark.torch


def test_a_model_trained_with_two_references_is_asked_for_by_name(tiny: Make) -> None:
    assert np.isfinite(scores(key(tiny(references="2"), references="2"), references={**REFERENCES})).all()


def test_three_variants_in_a_table_are_read_once_each(tiny: Make) -> None:
    load.cache_clear()
    metrics = [key(model(tiny, name), name) for name in ("faier", "fier", "aier")]
    evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=metrics)
    assert load.cache_info().misses == 3


def test_a_broken_torch_is_an_error_that_says_so(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vericap.metrics.faier.scorer", None)
    load.cache_clear()
    with pytest.raises(InputError, match="the neural network cannot be loaded"):
        scores("faier")
