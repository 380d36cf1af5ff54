"""TER is sacreBLEU's number, per caption and for the corpus."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap.metrics import parse
from vericap.views import Views


@pytest.mark.parametrize("name", ["fakecap1000", "k5k_nn"])
def test_ter_equals_sacrebleu(name, tokenized, data):
    metric = parse("ter")
    statistics = metric.statistics(Views(tokenized(name), tokenizer="none", workers=2))
    original = data / "oracle" / "coco" / "others" / f"{name}.sb_ter"
    scores = np.load(original.with_suffix(".sb_ter.npz"))["ter"]
    np.testing.assert_allclose(metric.score(statistics), scores / 100, rtol=0, atol=1e-9)
    corpus = json.loads(original.with_suffix(".sb_ter.json").read_text())["corpus"]
    assert metric.aggregate(statistics) == pytest.approx(corpus / 100, abs=1e-9)
